// A Mach-O library in this process: mapped, bound, its initialisers run. It stays until the process ends.
#pragma once

#include <string>
#include <vector>

#include "file.h"

namespace macho {

class Image {
 public:
  // The library of that path, loaded once. Throws std::runtime_error.
  static Image& load(const std::string& path);

  // Null when it is not loaded.
  static Image* find(const std::string& path);
  static Image* find(const void* handle);
  static Image* containing(const void* address);

  // Looks in all images, in the order of loading.
  static void* symbolAnywhere(const std::string& name);

  const std::string& path() const { return file_.path(); }
  void* base() const { return base_; }

  // `name` as in the file, with its underscore. Null when it is not exported.
  void* symbol(const std::string& name) const;

 private:
  explicit Image(const std::string& path);
  void map();
  void rebase();
  void bind();
  void protect();
  void registerUnwinding();
  void prepareThreadVariables();
  void initialize();
  std::uint8_t* at(std::uint64_t address) const { return base_ + address; }
  std::uint8_t* at(std::uint64_t segment, std::uint64_t offset) const;

  File file_;
  std::uint8_t* base_ = nullptr;
  std::uint64_t size_ = 0;
};

}  // namespace macho
