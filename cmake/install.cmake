# cmake --install: the binary, the library with its headers, neoConfig.cmake, and the shipped theories.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/neo)

# neo::neo is everything; the folders' own libraries come along as neo::neo_core and so on.
add_library(neo_whole INTERFACE)
set_target_properties(neo_whole PROPERTIES EXPORT_NAME neo)
target_link_libraries(neo_whole INTERFACE neo_neo)
target_compile_features(neo_whole INTERFACE cxx_std_20)
target_include_directories(neo_whole INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/neo>)

install(TARGETS neo RUNTIME COMPONENT program)
install(TARGETS neo-engine RUNTIME DESTINATION libexec/neo COMPONENT program)  # where app/front.cc looks for it
install(TARGETS neo_whole neo_torch_pch neo_core neo_data neo_discover neo_linear neo_view neo_benchmark neo_serve neo_report
                neo_instructions neo_kernels neo_observe neo_model neo_rollout neo_search neo_train neo_eval neo_explain neo_neo neo_explorer
        EXPORT neoTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}/neo)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/src/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/neo FILES_MATCHING PATTERN "*.h"
        PATTERN "testing.h" EXCLUDE)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/weights DESTINATION ${CMAKE_INSTALL_DATADIR}/neo COMPONENT program)
install(EXPORT neoTargets NAMESPACE neo:: DESTINATION ${package_dir})
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/neoConfig.cmake.in ${CMAKE_BINARY_DIR}/neoConfig.cmake
                              INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/neoConfigVersion.cmake COMPATIBILITY SameMinorVersion)
export(EXPORT neoTargets NAMESPACE neo:: FILE ${CMAKE_BINARY_DIR}/neoTargets.cmake)  # the build tree itself, for neo_DIR
install(FILES ${CMAKE_BINARY_DIR}/neoConfig.cmake ${CMAKE_BINARY_DIR}/neoConfigVersion.cmake DESTINATION ${package_dir})
