#pragma once

#include "app/engine_commands.h"

namespace neo {

// What the engine does for each command; one file each.
void execute(const LearnCommand& command);
void execute(const PretrainCommand& command);
void execute(const TrainCommand& command);
void execute(const WatchCommand& command);
void execute(const EvalCommand& command);
void execute(const ExplainCommand& command);
void execute(const TransferCommand& command);
void execute(const InspectCommand& command);
void execute(const CardCommand& command);
void execute(const BenchCommand& command);
void execute(const ServeCommand& command);
void execute(const ReproduceCommand& command);
void execute(const SweepCommand& command);
void execute(const SignatureCommand& command);

}  // namespace neo
