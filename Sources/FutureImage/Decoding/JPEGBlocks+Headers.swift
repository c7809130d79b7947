/// The declarations in segments: codes, components and scans.
extension JPEGBlocks {
  /// Reads tables. Each has a class and a number, 16 counts, and symbols.
  mutating func readTables(_ body: Range<Int>) -> Bool {
    var position = body.lowerBound
    while position < body.upperBound {
      guard position + 17 <= body.upperBound, let name = bytes[position] else { return false }
      let count = symbolCount(at: position + 1)
      declared[Int(name)] = position + 1
      tables[Int(name)] = nil
      position += 17
      guard count <= 256, count <= body.upperBound - position else { return false }
      position += count
    }
    return true
  }

  private func symbolCount(at counts: Int) -> Int { (0..<16).reduce(0) { $0 + Int(bytes[counts + $1] ?? 0) } }

  /// Makes the tables of the scan that do not exist yet.
  mutating func makeTables(for scan: Scan) {
    for name in scan.members.flatMap({ [$0.dc, 0x10 | $0.ac] }) where tables[name] == nil {
      guard let position = declared[name] else { continue }
      let symbols = position + 16..<position + 16 + symbolCount(at: position)
      tables[name] = JPEGHuffmanTable(
        counts: (position..<position + 16).compactMap { bytes[$0] }, symbols: symbols.compactMap { bytes[$0] })
    }
  }

  /// Reads the precision, the height, the width, and each component's name, factors, and table.
  mutating func readFrame(_ body: Range<Int>, isProgressive: Bool) -> Bool {
    let start = body.lowerBound
    guard components.isEmpty, body.count >= 6, let height = bytes.number16(at: start + 1), let width = bytes.number16(at: start + 3),
      let count = bytes[start + 5], height > 0, width > 0, 1...4 ~= count, body.count >= 6 + 3 * Int(count)
    else { return false }
    self.isProgressive = isProgressive
    for index in 0..<Int(count) {
      guard let id = bytes[start + 6 + 3 * index], let factors = bytes[start + 7 + 3 * index] else { return false }
      components.append(Component(id: id, horizontal: Int(factors >> 4), vertical: Int(factors & 15)))
    }
    guard components.allSatisfy({ 1...4 ~= $0.horizontal && 1...4 ~= $0.vertical }) else { return false }
    let across = components.reduce(1) { max($0, $1.horizontal) }
    let down = components.reduce(1) { max($0, $1.vertical) }
    func parts(_ whole: Int, _ part: Int) -> Int { (whole + part - 1) / part }
    unitsAcross = parts(width, 8 * across)
    unitsDown = parts(height, 8 * down)
    var blocks = 0
    for index in components.indices {
      let (horizontal, vertical) = (components[index].horizontal, components[index].vertical)
      components[index].width = parts(parts(width * horizontal, across), 8)
      components[index].height = parts(parts(height * vertical, down), 8)
      components[index].stride = unitsAcross * horizontal
      blocks += unitsAcross * horizontal * unitsDown * vertical
    }
    guard isProgressive else { return true }
    guard blocks <= Self.most else { return false }
    for index in components.indices {
      let count = components[index].stride * unitsDown * components[index].vertical
      components[index].coefficients = [UInt64](repeating: 0, count: count)
    }
    return true
  }

  /// Reads the components of a scan with their tables, the first and the last coefficient, and the lowest bit of the coefficients before
  /// and after the scan.
  mutating func readScan(_ body: Range<Int>) -> Scan? {
    let start = body.lowerBound
    guard let count = bytes[start].map(Int.init), 1...4 ~= count, body.count >= 4 + 2 * count else { return nil }
    var members: [Scan.Member] = []
    for index in 0..<count {
      guard let id = bytes[start + 1 + 2 * index], let names = bytes[start + 2 + 2 * index],
        let component = components.firstIndex(where: { $0.id == id })
      else { return nil }
      members.append(.init(component: component, dc: Int(names >> 4), ac: Int(names & 15)))
    }
    let end = start + 1 + 2 * count
    guard let first = bytes[end].map(Int.init), let last = bytes[end + 1].map(Int.init), let bits = bytes[end + 2] else { return nil }
    let scan =
      isProgressive
      ? Scan(members: members, first: first, last: last, high: Int(bits >> 4), low: Int(bits & 15))
      : Scan(members: members, first: 0, last: 63, high: 0, low: 0)
    guard scan.first <= scan.last, scan.last <= 63 else { return nil }
    if isProgressive, scan.first == 0 ? scan.last != 0 : count != 1 { return nil }
    for member in members {
      components[member.component].isScanned = true
      for coefficient in scan.first...scan.last { components[member.component].bits[coefficient] = scan.low }
    }
    return scan
  }
}
