// expect: call to main actor-isolated initializer
import AppKit
func f() -> NSMenu { NSMenu(title: "File") }
