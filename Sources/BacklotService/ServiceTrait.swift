#if !Service
#error("BacklotService needs the trait Service: leave 'traits: []' out where your package names backlot, or add \"Service\"")
#endif
