import CGtk

/// A widget of GTK, as declared in C. A widget belongs to the parent to which it is added, and the window belongs to GTK.
typealias Widget = UnsafeMutablePointer<GtkWidget>

extension UnsafeMutablePointer<GtkWidget> {
  /// The same widget, for functions of types whose structure GTK does not publish.
  var object: OpaquePointer { OpaquePointer(self) }

  /// Returns the same widget with the type that it was created with. GTK's own checks report a wrong type.
  func cast<Type>(to type: Type.Type = Type.self) -> UnsafeMutablePointer<Type> { UnsafeMutablePointer<Type>(object) }

  @discardableResult
  func styled(_ classes: String...) -> Widget {
    for name in classes { gtk_widget_add_css_class(self, name) }
    return self
  }

  @discardableResult
  func aligned(_ horizontal: GtkAlign = GTK_ALIGN_FILL, _ vertical: GtkAlign = GTK_ALIGN_FILL) -> Widget {
    gtk_widget_set_halign(self, horizontal)
    gtk_widget_set_valign(self, vertical)
    return self
  }

  @discardableResult
  func expanding(_ horizontally: Bool = true, _ vertically: Bool = true) -> Widget {
    gtk_widget_set_hexpand(self, horizontally ? 1 : 0)
    gtk_widget_set_vexpand(self, vertically ? 1 : 0)
    return self
  }

  /// Requests at least this size in points. With -1, the widget determines the size of that axis.
  @discardableResult
  func sized(_ width: Int, _ height: Int) -> Widget {
    gtk_widget_set_size_request(self, gint(width), gint(height))
    return self
  }

  /// Hides the content outside the widget's rounded corners.
  @discardableResult
  func clipped() -> Widget {
    gtk_widget_set_overflow(self, GTK_OVERFLOW_HIDDEN)
    return self
  }

  var isVisible: Bool {
    get { gtk_widget_get_visible(self) != 0 }
    nonmutating set { gtk_widget_set_visible(self, newValue ? 1 : 0) }
  }
}

extension OpaquePointer {
  var asObject: UnsafeMutablePointer<GObject> { UnsafeMutablePointer<GObject>(self) }
  func cast<Type>(to type: Type.Type = Type.self) -> UnsafeMutablePointer<Type> { UnsafeMutablePointer<Type>(self) }
  var widget: Widget { Widget(self) }
}

@MainActor
func column(spacing: Int = 0, _ children: Widget...) -> Widget { box(GTK_ORIENTATION_VERTICAL, spacing, children) }

@MainActor
func row(spacing: Int = 0, _ children: Widget...) -> Widget { box(GTK_ORIENTATION_HORIZONTAL, spacing, children) }

@MainActor
private func box(_ orientation: GtkOrientation, _ spacing: Int, _ children: [Widget]) -> Widget {
  let box = made(gtk_box_new(orientation, gint(spacing)))
  for child in children { gtk_box_append(box.cast(), child) }
  return box
}

/// Creates a label. Its text ends in an ellipsis if there is not enough room.
@MainActor
func label(_ text: String = "", lines: Int = 1) -> Widget {
  let label = made(gtk_label_new(text))
  gtk_label_set_xalign(label.object, 0)
  gtk_label_set_ellipsize(label.object, PANGO_ELLIPSIZE_END)
  if lines > 1 {
    gtk_label_set_wrap(label.object, 1)
    gtk_label_set_lines(label.object, gint(lines))
  }
  return label
}

/// Returns the widget that a constructor of GTK returned. It is never NULL, because GTK ends the program when no memory is left.
@MainActor
func made(_ widget: Widget?) -> Widget {
  guard let widget else { preconditionFailure("GTK made no widget") }
  return widget
}

@MainActor
func made(_ object: OpaquePointer?) -> OpaquePointer {
  guard let object else { preconditionFailure("GTK made no object") }
  return object
}
