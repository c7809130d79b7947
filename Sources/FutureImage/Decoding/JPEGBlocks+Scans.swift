/// The coded blocks of a scan.
extension JPEGBlocks {
  /// Returns whether the scan has all its blocks.
  mutating func read(_ scan: Scan, from start: Int, to end: Int) -> Bool {
    var bits = JPEGBits(bytes, from: start, to: end)
    makeTables(for: scan)
    do {
      if scan.members.count == 1 {
        try readBlocks(of: scan, for: scan.members[0], &bits)
      } else {
        try readUnits(scan, &bits)
      }
      return bits.endBeforeTrailer
    } catch {
      return false
    }
  }

  /// Reads a scan of one component. Each unit of the scan is one block, and the scan omits blocks beyond the image.
  private mutating func readBlocks(of scan: Scan, for member: Scan.Member, _ bits: inout JPEGBits) throws(JPEGBits.Ended) {
    let (width, height) = (components[member.component].width, components[member.component].height)
    let stride = components[member.component].stride
    var run = 0
    for index in 0..<width * height {
      if try isRestarted(before: index, &bits) { run = 0 }
      let block = index / width * stride + index % width
      try read(block, of: scan, for: member, run: &run, &bits)
    }
  }

  private mutating func readUnits(_ scan: Scan, _ bits: inout JPEGBits) throws(JPEGBits.Ended) {
    var run = 0
    for unit in 0..<unitsAcross * unitsDown {
      _ = try isRestarted(before: unit, &bits)
      for member in scan.members {
        // The block's index matters only to scans of one component.
        for _ in 0..<components[member.component].horizontal * components[member.component].vertical {
          try read(0, of: scan, for: member, run: &run, &bits)
        }
      }
    }
  }

  private func isRestarted(before unit: Int, _ bits: inout JPEGBits) throws(JPEGBits.Ended) -> Bool {
    guard restartInterval > 0, unit > 0, unit % restartInterval == 0 else { return false }
    try bits.restart()
    return true
  }

  private mutating func read(
    _ block: Int, of scan: Scan, for member: Scan.Member, run: inout Int, _ bits: inout JPEGBits
  ) throws(JPEGBits.Ended) {
    visits -= 1
    guard visits > 0 else { throw JPEGBits.Ended() }
    if !isProgressive {
      try bits.skipNumber(table(member.dc))
      try readFirst(1...63, block: nil, for: member, run: &run, &bits)
    } else if scan.first == 0 {
      // In a first scan, the coded length of the number precedes its bits. In a later scan, there is one bit without a length.
      if scan.high == 0 { try bits.skipNumber(table(member.dc)) } else { _ = try bits.number(1) }
    } else if scan.high == 0 {
      try readFirst(scan.first...scan.last, block: block, for: member, run: &run, &bits)
    } else {
      try readLater(scan.first...scan.last, block: block, for: member, run: &run, &bits)
    }
  }

  private func table(_ name: Int) throws(JPEGBits.Ended) -> JPEGHuffmanTable {
    guard let table = tables[name] else { throw JPEGBits.Ended() }
    return table
  }

  /// Reads coefficients of a block in their first scan. Each symbol is the number of zeros before the next coefficient, and the number of
  /// bits of that coefficient.
  /// - Parameters:
  ///   - block: the index of the block; nil in a sequential image.
  ///   - run: the number of following blocks without coefficients in this scan; 0 in a sequential image.
  private mutating func readFirst(
    _ coefficients: ClosedRange<Int>, block: Int?, for member: Scan.Member, run: inout Int, _ bits: inout JPEGBits
  ) throws(JPEGBits.Ended) {
    if run > 0 {
      run -= 1
      return
    }
    let codes = try table(0x10 | member.ac)
    var next = coefficients.lowerBound
    while next <= coefficients.upperBound {
      let symbol = try bits.symbol(codes)
      let (zeros, length) = (symbol >> 4, symbol & 15)
      if length == 0, zeros != 15 {
        if block != nil { run = (1 << zeros) - 1 + (try bits.number(zeros)) }
        return
      }
      next += zeros
      if length > 0 {
        _ = try bits.number(length)
        if let block, next <= coefficients.upperBound { components[member.component].coefficients[block] |= 1 << UInt64(next) }
      }
      next += 1
    }
  }

  /// Reads a further bit of each coefficient that is not zero, and the coefficients that become nonzero (T.81, G.1.2.3).
  private mutating func readLater(
    _ coefficients: ClosedRange<Int>, block: Int, for member: Scan.Member, run: inout Int, _ bits: inout JPEGBits
  ) throws(JPEGBits.Ended) {
    let codes = try table(0x10 | member.ac)
    var known = components[member.component].coefficients[block]
    defer { components[member.component].coefficients[block] = known }
    func isKnown(_ coefficient: Int) -> Bool { known & 1 << UInt64(coefficient) != 0 }
    var next = coefficients.lowerBound
    while run == 0, next <= coefficients.upperBound {
      let symbol = try bits.symbol(codes)
      var zeros = symbol >> 4
      let isNew = symbol & 15 != 0
      if !isNew, zeros != 15 {
        run = (1 << zeros) + (try bits.number(zeros))
        break
      }
      if isNew { _ = try bits.number(1) }
      while next <= coefficients.upperBound {
        if isKnown(next) {
          _ = try bits.number(1)
        } else if zeros == 0 {
          break
        } else {
          zeros -= 1
        }
        next += 1
      }
      if isNew, next <= coefficients.upperBound { known |= 1 << UInt64(next) }
      next += 1
    }
    guard run > 0 else { return }
    while next <= coefficients.upperBound {
      if isKnown(next) { _ = try bits.number(1) }
      next += 1
    }
    run -= 1
  }
}
