#pragma once
#include <glib-unix.h>
#include <gtk/gtk.h>

// Exported by libdispatch for the sake of foreign main loops; no header declares them.
int _dispatch_get_main_queue_handle_4CF(void);
void _dispatch_main_queue_callback_4CF(void *unused);
