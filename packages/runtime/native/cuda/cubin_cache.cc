#include "cubin_cache.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace metile::cuda {
namespace {

constexpr char magic[8] = {'m', 'e', 't', 'i', 'l', 'e', 'c', '1'};

struct Header {
  char magic[8];
  std::uint64_t bytes;
  std::uint64_t sum;
};

std::uint64_t hashOf(const char* data, std::size_t length, std::uint64_t seed) {
  std::uint64_t hash = seed;  // FNV-1a
  for (std::size_t index = 0; index < length; index++) hash = (hash ^ static_cast<unsigned char>(data[index])) * 0x100000001b3ull;
  return hash;
}

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

// Each folder of the path, for this user alone.
void makeFolders(const std::string& path) {
  for (std::size_t at = 1; at <= path.size(); at++) {
    if (at == path.size() || path[at] == '/') mkdir(path.substr(0, at).c_str(), 0700);
  }
}

bool writeAll(int file, const void* data, std::size_t length) {
  const char* at = static_cast<const char*>(data);
  while (length > 0) {
    const ssize_t written = write(file, at, length);
    if (written <= 0) return false;
    at += written;
    length -= static_cast<std::size_t>(written);
  }
  return true;
}

}  // namespace

CubinCache::CubinCache() {
  folder_ = environment("METILE_CACHE");
  if (folder_.empty()) {
    const std::string shared = environment("XDG_CACHE_HOME");
    const std::string home = environment("HOME");
    if (!shared.empty()) folder_ = shared + "/metile";
    else if (!home.empty()) folder_ = home + "/.cache/metile";
  }
  if (!folder_.empty()) folder_ += "/cuda";
}

std::string CubinCache::keyOf(const std::string& everything) {
  char name[40];
  std::snprintf(name, sizeof name, "%016llx%016llx",
                static_cast<unsigned long long>(hashOf(everything.data(), everything.size(), 0xcbf29ce484222325ull)),
                static_cast<unsigned long long>(hashOf(everything.data(), everything.size(), 0x84222325cbf29ce4ull)));
  return name;
}

bool CubinCache::find(const std::string& key, std::string& cubin) const {
  if (folder_.empty()) return false;
  const std::string path = folder_ + "/" + key + ".cubin";
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  if (file < 0) return false;
  struct stat status = {};
  // Code of another user's making is not run.
  const bool trusted = fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == geteuid() && (status.st_mode & 022) == 0;
  std::string contents(trusted ? static_cast<std::size_t>(status.st_size) : 0, '\0');
  std::size_t length = 0;
  while (length < contents.size()) {
    const ssize_t count = read(file, contents.data() + length, contents.size() - length);
    if (count <= 0) break;
    length += static_cast<std::size_t>(count);
  }
  close(file);
  Header header;
  if (length != contents.size() || length <= sizeof header) return false;
  std::memcpy(&header, contents.data(), sizeof header);
  const std::size_t bytes = length - sizeof header;
  if (std::memcmp(header.magic, magic, sizeof magic) != 0 || header.bytes != bytes) return false;
  if (header.sum != hashOf(contents.data() + sizeof header, bytes, 0xcbf29ce484222325ull)) return false;
  cubin.assign(contents, sizeof header, bytes);
  return true;
}

void CubinCache::store(const std::string& key, const std::string& cubin) const {
  if (folder_.empty()) return;
  makeFolders(folder_);
  std::string partial = folder_ + "/partial-XXXXXX";
  const int file = mkstemp(partial.data());
  if (file < 0) return;
  Header header = {};
  std::memcpy(header.magic, magic, sizeof magic);
  header.bytes = cubin.size();
  header.sum = hashOf(cubin.data(), cubin.size(), 0xcbf29ce484222325ull);
  const bool whole = writeAll(file, &header, sizeof header) && writeAll(file, cubin.data(), cubin.size());
  close(file);
  if (!whole || rename(partial.c_str(), (folder_ + "/" + key + ".cubin").c_str()) != 0) unlink(partial.c_str());
}

}  // namespace metile::cuda
