import CGtk

/// GTK's widgets as C has them. A widget belongs to the parent that it is put into, and the window belongs to GTK.
typealias Widget = UnsafeMutablePointer<GtkWidget>

extension UnsafeMutablePointer<GtkWidget> {
  /// The same widget, for functions of types whose structure GTK keeps to itself.
  var object: OpaquePointer { OpaquePointer(self) }

  /// The same widget under the type that it was made with; GTK's own checks tell a wrong one.
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

  /// Asks for at least this many points; -1 leaves an axis to the widget.
  @discardableResult
  func sized(_ width: Int, _ height: Int) -> Widget {
    gtk_widget_set_size_request(self, gint(width), gint(height))
    return self
  }

  /// Cuts what lies outside its rounded corners.
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

/// Makes a line of text that ends in an ellipsis if there is no room.
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

/// GTK's constructors never return NULL: they end the program when there is no memory.
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
