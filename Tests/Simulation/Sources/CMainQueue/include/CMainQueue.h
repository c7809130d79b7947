// Functions of libdispatch by which a program's own event loop runs the blocks of the main queue. No header of libdispatch declares them.
int _dispatch_get_main_queue_handle_4CF(void);
void _dispatch_main_queue_callback_4CF(void *);
