// libdispatch's way to serve the main queue from a loop of one's own; it has no header for it.
int _dispatch_get_main_queue_handle_4CF(void);
void _dispatch_main_queue_callback_4CF(void *);
