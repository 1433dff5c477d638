// A Mach-O file as its load commands describe it. Nothing is mapped yet.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bytes.h"

namespace macho {

struct Segment {
  std::string name;
  std::uint64_t address, size, fileOffset, fileSize;
  std::uint32_t protection;  // 1 read, 2 write, 4 execute
};

struct Section {
  std::string segment, name;
  std::uint64_t address, size;
  std::uint32_t type;
};

class File {
 public:
  // Throws std::runtime_error when the file is not there or no arm64 library.
  explicit File(const std::string& path);

  static bool isMachO(const std::string& path);

  const std::string& path() const { return path_; }
  const std::vector<Segment>& segments() const { return segments_; }
  const std::vector<Section>& sections() const { return sections_; }
  const std::vector<std::string>& libraries() const { return libraries_; }
  const std::uint8_t* data() const { return contents_.data(); }

  // Null when there is no such section.
  const Section* section(const std::string& segment, const std::string& name) const;

  Bytes rebases() const { return table(0); }
  Bytes binds() const { return table(1); }
  Bytes weakBinds() const { return table(2); }
  Bytes lazyBinds() const { return table(3); }
  Bytes exports() const { return table(4); }

 private:
  void readSegment(std::size_t offset);
  Bytes table(std::size_t index) const;

  std::string path_;
  std::vector<std::uint8_t> contents_;
  std::vector<Segment> segments_;
  std::vector<Section> sections_;
  std::vector<std::string> libraries_;
  std::size_t dyldInfo_ = 0;
};

}  // namespace macho
