#include "server.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <vector>

#include "../runtime/switches.h"

extern char** environ;

namespace standin {

namespace {

/// A write to a server that has died must be an error of the write, not the end of the program.
class WithoutPipeSignal {
 public:
  WithoutPipeSignal() {
    sigemptyset(&pipe_);
    sigaddset(&pipe_, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
  }
  ~WithoutPipeSignal() {
    if (sigismember(&before_, SIGPIPE) == 0) {
      const timespec now{0, 0};
      while (sigtimedwait(&pipe_, nullptr, &now) == SIGPIPE) {
      }
    }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }

 private:
  sigset_t pipe_;
  sigset_t before_;
};

class Server {
 public:
  bool ask(const std::string& request, std::string& answer, std::string& failure) {
    const WithoutPipeSignal guard;
    if (process_ == 0 && !start(failure)) return false;
    if (send(request + "\n") && receive(answer)) return true;
    failure = "the compile server ended: " + stop();
    return false;
  }

 private:
  bool start(std::string& failure) {
    std::vector<std::string> words;
    std::size_t from = 0;
    const std::string& line = switches().server;
    while (from <= line.size() && !line.empty()) {
      const std::size_t end = std::min(line.find('\n', from), line.size());
      words.push_back(line.substr(from, end - from));
      from = end + 1;
    }
    if (words.empty()) {
      failure = "METILE_STANDIN_SERVER names no compile server";
      return false;
    }
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    return spawn(arguments, failure);
  }

  bool spawn(const std::vector<char*>& arguments, std::string& failure) {
    int input[2];
    int output[2];
    if (::pipe2(input, O_CLOEXEC) != 0) return false;
    if (::pipe2(output, O_CLOEXEC) != 0) {
      ::close(input[0]);
      ::close(input[1]);
      return false;
    }
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, input[0], 0);
    posix_spawn_file_actions_adddup2(&actions, output[1], 1);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    const int error = ::posix_spawnp(&process_, arguments[0], &actions, &attributes, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    ::close(input[0]);
    ::close(output[1]);
    input_ = input[1];
    output_ = output[0];
    if (error == 0) return true;
    failure = std::string("the compile server ") + arguments[0] + " cannot be started: " + std::strerror(error);
    process_ = 0;
    ::close(input_);
    ::close(output_);
    return false;
  }

  bool send(const std::string& text) {
    for (std::size_t done = 0; done < text.size();) {
      const ssize_t wrote = ::write(input_, text.data() + done, text.size() - done);
      if (wrote < 0 && errno == EINTR) continue;
      if (wrote <= 0) return false;
      done += static_cast<std::size_t>(wrote);
    }
    return true;
  }

  bool receive(std::string& line) {
    for (;;) {
      const std::size_t end = pending_.find('\n');
      if (end != std::string::npos) {
        line = pending_.substr(0, end);
        pending_.erase(0, end + 1);
        return true;
      }
      char bytes[65536];
      const ssize_t got = ::read(output_, bytes, sizeof bytes);
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) return false;
      pending_.append(bytes, static_cast<std::size_t>(got));
    }
  }

  /// How it ended.
  std::string stop() {
    ::close(input_);
    ::close(output_);
    pending_.clear();
    int status = 0;
    const pid_t ended = ::waitpid(process_, &status, 0);
    process_ = 0;
    if (ended < 0) return "its status is unknown";
    if (WIFSIGNALED(status)) return "signal " + std::to_string(WTERMSIG(status));
    return "status " + std::to_string(WEXITSTATUS(status));
  }

  pid_t process_ = 0;
  int input_ = -1;
  int output_ = -1;
  std::string pending_;
};

}  // namespace

bool askServer(const std::string& request, Json& answer, std::string& failure) {
  static auto* mutex = new std::mutex;
  static auto* server = new Server;
  const std::lock_guard lock(*mutex);
  std::string line;
  if (!server->ask(request, line, failure)) return false;
  if (parseJson(line, answer) && answer.kind == Json::Kind::record) return true;
  failure = "the compile server's answer is no JSON: " + line.substr(0, 200);
  return false;
}

}  // namespace standin
