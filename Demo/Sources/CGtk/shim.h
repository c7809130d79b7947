#pragma once

#if !__has_include(<gtk/gtk.h>)
#error "GTK 4 is missing; install the Debian package libgtk-4-dev"
#endif
#include <glib-unix.h>
#include <gtk/gtk.h>

// Exported by libdispatch for other main loops. No header declares them.
int _dispatch_get_main_queue_handle_4CF(void);
void _dispatch_main_queue_callback_4CF(void *unused);
