#if !canImport(CoreGraphics)
import Foundation
import Testing

@testable import FutureImage

/// The limits of control groups, in files that the tests create.
@Suite(.timeLimit(.minutes(5))) struct ControlGroupsTests {
  private let root: TemporaryDirectory

  init() throws { root = try TemporaryDirectory() }

  private func limit(_ files: [String: String]) throws -> Int? {
    for (path, text) in files {
      let file = root.file(path)
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    }
    return ControlGroups(root: root.url.path).memoryLimit
  }

  @Test func `a process whose control group is the root has the root's limit`() throws {
    #expect(try limit(["proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "268435456\n"]) == 256 << 20)
  }

  @Test func `if a control group has no limit of its own, the limit of its parent group applies`() throws {
    let limit = try limit([
      "proc/self/cgroup": "0::/user.slice/app.service\n", "sys/fs/cgroup/user.slice/memory.max": "1000000\n",
      "sys/fs/cgroup/user.slice/app.service/memory.max": "max\n"
    ])
    #expect(limit == 1_000_000)
  }

  @Test func `the memory limit of a version 1 group is read, even if the process also has a version 2 group`() throws {
    let limit = try limit([
      "proc/self/cgroup": "9:name=systemd:/\n4:cpu,memory:/docker/a:b\n3:cpuset:/other\n0::/\n",
      "sys/fs/cgroup/memory/docker/a:b/memory.limit_in_bytes": "500000\n",
      "sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n"
    ])
    #expect(limit == 500_000)
  }

  @Test(arguments: ["", "0::/\n", "0:/\n:::\n", "0::/gone\n", "0:\n7:memory\nx\n"])
  func `missing and malformed files mean no limit`(groups: String) throws {
    #expect(try limit(["proc/self/cgroup": groups, "sys/fs/cgroup/other": "1\n"]) == nil)
  }
}
#endif
