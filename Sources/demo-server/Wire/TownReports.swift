/// Reports about the town.
enum TownReports {
    static let text = """
        harbour ferry, harbour
        The ferry runs an hour longer
        On Fridays and Saturdays the last boat leaves at midnight.
        El ferry navega una hora más
        Los viernes y sábados, el último barco sale a medianoche.

        market food, market
        Cherries are early this year
        The market sold the first crates before breakfast.
        Este año las cerezas llegan pronto
        El mercado vendió las primeras cajas antes del desayuno.

        bridge bridge, cycling
        Bicycles get their own half of the bridge
        A painted line divides it from Monday on.
        Las bicicletas tendrán su mitad del puente
        Desde el lunes, una línea pintada lo divide.

        garden garden
        The oldest plane tree is 200 years old
        The gardeners counted the rings of a fallen branch.
        El plátano más viejo cumple 200 años
        Los jardineros contaron los anillos de una rama caída.

        harbour harbour, weather
        Fog keeps the boats in port until ten
        The lighthouse sounded its horn for the first time since March.
        La niebla retiene los barcos hasta las diez
        El faro tocó la sirena por primera vez desde marzo.

        market market, school
        Pupils run a stall for a day
        They sold 300 loaves and kept the accounts themselves.
        Los alumnos llevan un puesto por un día
        Vendieron 300 panes y llevaron ellos las cuentas.

        bridge bridge, light
        New lamps on the old bridge
        They use a tenth of the power and leave the stars visible.
        Farolas nuevas en el puente viejo
        Gastan la décima parte y dejan ver las estrellas.

        garden garden, water
        Rain barrels for every street
        The town lends them to anyone with a roof.
        Barriles de lluvia para cada calle
        La ciudad los presta a quien tenga un tejado.

        harbour harbour, history
        Divers find an anchor of 1790
        It will stand in front of the customs house.
        Unos buzos hallan un ancla de 1790
        Se pondrá delante de la aduana.

        market market, buses
        The market bus stops at the clinic
        It makes a detour of four minutes, twice a day.
        El autobús del mercado para en la clínica
        Da un rodeo de cuatro minutos, dos veces al día.

        bridge river, nature
        Otters are back below the bridge
        A family of four was seen at dawn.
        Las nutrias vuelven bajo el puente
        Al amanecer se vio una familia de cuatro.

        garden library
        The library lends tools as well
        Drills and ladders are the first to be out.
        La biblioteca presta también herramientas
        Taladros y escaleras son lo primero que falta.

        harbour harbour, work
        The shipyard takes twelve apprentices
        Half of them are girls, more than ever.
        El astillero toma doce aprendices
        La mitad son chicas, más que nunca.

        market market, food
        A contest for the best olive oil
        Nine mills take part; bread is provided.
        Un concurso del mejor aceite de oliva
        Participan nueve molinos; hay pan para todos.

        bridge bridge, traffic
        Lorries must go around the old town
        The new signs stand at all three roads.
        Los camiones rodearán el casco viejo
        Las señales nuevas están en las tres carreteras.

        garden garden, bees
        Forty hives move to the town's roofs
        The first honey is expected in August.
        Cuarenta colmenas suben a los tejados
        La primera miel se espera en agosto.

        harbour harbour, tides
        The highest tide of the year is on Thursday
        Shops on the quay keep their sandbags ready.
        El jueves será la marea más alta del año
        Las tiendas del muelle tienen sacos de arena.

        market market, repair
        A café where things are mended
        Toasters and radios, each first Saturday of the month.
        Un café donde se arreglan cosas
        Tostadoras y radios, cada primer sábado de mes.

        bridge river, water
        The river is clean enough to swim in
        Samples were taken at five places for a year.
        El río está limpio para bañarse
        Se tomaron muestras en cinco sitios durante un año.

        garden council
        The town hall answers letters within a week
        Last year it took three on average.
        El ayuntamiento contesta en una semana
        El año pasado tardaba tres de media.
        """
}
