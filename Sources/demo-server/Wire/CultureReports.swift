/// Reports about culture.
enum CultureReports {
    static let text = """
        garden music, garden
        A piano stands in the garden
        Anyone may play it until sunset.
        Hay un piano en el jardín
        Lo puede tocar cualquiera hasta la puesta de sol.

        market books, market
        Old books by the kilo
        The library makes room on its shelves.
        Libros viejos al peso
        La biblioteca hace sitio en sus estantes.

        bridge theatre, bridge
        A play for six people at a time
        It is performed in a boat below the bridge.
        Una obra para seis espectadores
        Se representa en un bote bajo el puente.

        harbour film, harbour
        Open-air films at the quay
        The screen is a sail of eighty square metres.
        Cine al aire libre en el muelle
        La pantalla es una vela de ochenta metros cuadrados.

        garden painting
        Painters for a day
        Sixty easels stood in the garden on Sunday.
        Pintores por un día
        El domingo hubo sesenta caballetes en el jardín.

        market music, food
        The brass band plays for breakfast
        Coffee is free for whoever sings along.
        La banda toca en el desayuno
        Quien cante tiene café gratis.

        bridge history, bridge
        Letters found in the bridge's wall
        They were written by masons in 1851.
        Cartas halladas en el muro del puente
        Las escribieron unos canteros en 1851.

        harbour museum, harbour
        The museum shows ships in bottles
        The smallest bottle holds nine drops.
        El museo enseña barcos en botellas
        En la botella más pequeña caben nueve gotas.

        garden poetry
        Poems on the park benches
        Each bench has another verse.
        Poemas en los bancos del parque
        Cada banco tiene un verso distinto.

        market dance, market
        Dancing after closing time
        The market hall stays open until eleven on Fridays.
        Baile después del cierre
        El mercado abre los viernes hasta las once.

        bridge photography, bridge
        The same view, 365 times
        A photographer stood on the bridge each day of a year.
        La misma vista, 365 veces
        Una fotógrafa estuvo en el puente cada día del año.

        harbour music, harbour
        Shanties in four languages
        The sailors' choir is looking for tenors.
        Canciones marineras en cuatro lenguas
        El coro de marineros busca tenores.

        garden school, theatre
        Pupils write an opera about bees
        It has eleven roles, one of them a wasp.
        Los alumnos escriben una ópera sobre abejas
        Tiene once papeles, uno de ellos de avispa.

        market language
        A table for those who learn Spanish
        Each Tuesday at six, beside the fish stall.
        Una mesa para quien aprende inglés
        Cada martes a las seis, junto a la pescadería.

        bridge light, river
        Lights on the water
        A thousand paper boats left the bridge at dusk.
        Luces en el agua
        Mil barcos de papel salieron del puente al anochecer.

        harbour books, harbour
        A bookshop moves onto a barge
        It moors in another place each month.
        Una librería se muda a una barcaza
        Cada mes amarra en otro sitio.

        garden sculpture, garden
        Statues made of driftwood
        They may stay until the first storm.
        Estatuas de madera de deriva
        Se quedan hasta la primera tormenta.

        market film
        A film about those who sell the fish
        Three of them play themselves.
        Una película sobre las pescaderas
        Tres de ellas hacen de sí mismas.

        bridge music, bridge
        The bridge hums at 55 hertz
        A composer has written a piece around the note.
        El puente zumba a 55 hercios
        Una compositora ha escrito una pieza sobre esa nota.

        harbour museum, school
        Free entry for those who draw
        The museum lends pencils at the door.
        Entrada gratis para quien dibuje
        El museo presta lápices en la puerta.
        """
}
