#include "module.h"

#include <dlfcn.h>

#include <map>
#include <mutex>

#include "json.h"
#include "server.h"

namespace standin {

namespace {

std::string write(const CompileRequest& request) {
  std::string macros;
  for (const auto& [name, value] : request.macros) {
    macros += (macros.empty() ? "" : ",") + quoteJson(name) + ":" + quoteJson(value);
  }
  return "{\"text\":" + quoteJson(request.text) + ",\"macros\":{" + macros +
         "},\"languageVersion\":" + quoteJson(request.languageVersion) +
         ",\"mathMode\":" + quoteJson(request.mathMode) + "}";
}

Kernel readKernel(const Json& from) {
  Kernel kernel;
  kernel.name = from.at("name").text;
  kernel.threadgroupBytes = static_cast<std::uint64_t>(from.at("threadgroupBytes").number);
  for (const Json& buffer : from.at("buffers").list) {
    kernel.buffers.push_back({static_cast<std::uint32_t>(buffer.at("index").number),
                              buffer.at("kind").text == "constant", buffer.at("writable").boolean,
                              static_cast<std::uint64_t>(buffer.at("bytes").number)});
  }
  for (const Json& slot : from.at("threadgroups").list) {
    kernel.threadgroups.push_back(static_cast<std::uint32_t>(slot.number));
  }
  return kernel;
}

Module* load(const Json& answer, std::string& failure) {
  void* library = ::dlopen(answer.at("module").text.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    failure = std::string("the compiled module cannot be loaded: ") + ::dlerror();
    return nullptr;
  }
  auto run = reinterpret_cast<ModuleRun>(::dlsym(library, "metile_module_run"));
  if (run == nullptr) {
    failure = "the compiled module has no metile_module_run";
    return nullptr;
  }
  auto* module = new Module;
  module->run = run;
  for (const Json& kernel : answer.at("kernels").list) module->kernels.push_back(readKernel(kernel));
  return module;
}

}  // namespace

const Module* compileModule(const CompileRequest& request, std::string& failure) {
  static auto* mutex = new std::mutex;
  static auto* modules = new std::map<std::string, const Module*>;
  const std::string line = write(request);
  {
    const std::lock_guard lock(*mutex);
    const auto known = modules->find(line);
    if (known != modules->end()) return known->second;
  }
  Json answer;
  if (!askServer(line, answer, failure)) return nullptr;
  if (!answer.at("ok").boolean) {
    failure = answer.at("error").text;
    return nullptr;
  }
  const Module* module = load(answer, failure);
  if (module == nullptr) return nullptr;
  const std::lock_guard lock(*mutex);
  return modules->try_emplace(line, module).first->second;
}

bool runModule(const Module& module, const MetileModuleLaunch& launch, std::string& failure) {
  static auto* mutex = new std::mutex;
  const std::lock_guard lock(*mutex);
  char message[4096] = "";
  if (module.run(&launch, message, sizeof message) == 0) return true;
  message[sizeof message - 1] = 0;
  failure = message;
  return false;
}

}  // namespace standin
