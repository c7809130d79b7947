// expect: non-class type
struct Row: FutureImageBinding { var image: UIImage? }
