// Functions of the module that tell of devices and open them.
#pragma once

#include <napi.h>

namespace metile {

Napi::Value cpu(const Napi::CallbackInfo& info);
Napi::Value openCpu(const Napi::CallbackInfo& info);
Napi::Value metalAvailability(const Napi::CallbackInfo& info);
Napi::Value openMetal(const Napi::CallbackInfo& info);
Napi::Value metalAbi(const Napi::CallbackInfo& info);
Napi::Value cudaAvailability(const Napi::CallbackInfo& info);
Napi::Value openCuda(const Napi::CallbackInfo& info);
Napi::Value cudaCompiled(const Napi::CallbackInfo& info);

}  // namespace metile
