#if !Service
#error("BacklotService needs the trait Service: name it, or no traits at all, where your package names backlot")
#endif
