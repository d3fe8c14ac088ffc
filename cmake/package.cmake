# cpack --config build/CPackConfig.cmake: a .deb of the program, its engine, the shipped theories, man page and completions.
# cpack --config build/CPackSourceConfig.cmake: the source, which builds without git.
install(FILES ${CMAKE_BINARY_DIR}/neo.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT program)
install(FILES ${CMAKE_BINARY_DIR}/neo.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME neo COMPONENT program)
install(FILES ${CMAKE_BINARY_DIR}/_neo DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions COMPONENT program)
install(FILES ${CMAKE_BINARY_DIR}/neo.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT program)
set(documents ${CMAKE_INSTALL_DATADIR}/doc/neo-theorizer)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${documents} RENAME copyright COMPONENT program)
install(FILES ${PROJECT_SOURCE_DIR}/CHANGELOG.md DESTINATION ${documents} RENAME changelog.md COMPONENT program)

set(CPACK_PACKAGE_NAME neo-theorizer)
set(CPACK_PACKAGE_VENDOR "")
set(CPACK_PACKAGE_CONTACT "The neo developers <neo@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "learns theories from pairs of observations")
set(CPACK_PACKAGE_DESCRIPTION "Given nothing but pairs (x, y), neo discovers a small vocabulary of operations, explains each pair by
a short program over it, and applies that program to new inputs.")
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_BINARY_DIR}/packages)
set(CPACK_STRIP_FILES ON)
set(CPACK_GENERATOR DEB)
set(CPACK_COMPONENTS_ALL program)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME neo-theorizer)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_CONFLICTS neo)  # has a /usr/bin/neo of its own
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "libopenblas0-openmp, curl, ca-certificates")

set(CPACK_SOURCE_GENERATOR TGZ)
set(CPACK_SOURCE_PACKAGE_FILE_NAME neo-theorizer-${PROJECT_VERSION})
set(CPACK_SOURCE_IGNORE_FILES "^${PROJECT_SOURCE_DIR}/(build[^/]*|runs|data|\\\\.cache)/" "^${PROJECT_SOURCE_DIR}/eval\\\\.json$"
    "/\\\\.git/" "/node_modules/" "/__pycache__/" "\\\\.tmp$")
include(CPack)
