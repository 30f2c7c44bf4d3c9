/// Reports about sports.
enum SportsReports {
    static let text = """
        harbour rowing, harbour
        A new boat for the junior rowers
        It was paid for by a sale of cakes, 2,100 of them.
        Un bote nuevo para los remeros jóvenes
        Se pagó vendiendo pasteles: 2100.

        garden running
        The park run has a course for wheelchairs
        It is five kilometres long and flat.
        La carrera del parque tiene trazado para sillas
        Mide cinco kilómetros y es llana.

        bridge cycling, bridge
        Uphill race ends on the bridge
        The winner needed nineteen minutes for 400 metres of height.
        La carrera de subida acaba en el puente
        El ganador tardó diecinueve minutos en subir 400 metros.

        market football
        The goalkeeper scores from her own half
        The wind helped; the match ended two to one.
        La portera marca desde su campo
        Ayudó el viento; el partido acabó dos a uno.

        harbour sailing, harbour
        Dinghies race around the lighthouse
        Thirty-one boats started, and all came home.
        Los botes de vela rodean el faro
        Salieron treinta y uno y volvieron todos.

        garden chess
        Chess under the chestnuts
        The youngest player beat the mayor in 24 moves.
        Ajedrez bajo los castaños
        La jugadora más joven ganó al alcalde en 24 jugadas.

        bridge climbing, bridge
        A climbing wall in the bridge's pier
        Six routes, from easy to very hard.
        Un muro de escalada en el pilar del puente
        Seis vías, de fácil a muy difícil.

        market tennis, market
        Table tennis between the stalls
        Bats can be borrowed at the cheese stand.
        Tenis de mesa entre los puestos
        Las palas se prestan en el puesto de quesos.

        harbour swimming, harbour
        Two hundred swim across the bay
        The water had seventeen degrees.
        Doscientas personas cruzan la bahía a nado
        El agua estaba a diecisiete grados.

        garden gymnastics
        Gymnasts of seventy and more
        Their group has grown to fifty members.
        Gimnastas de setenta años y más
        Su grupo ha llegado a cincuenta miembros.

        bridge canoeing, river
        Canoeists find a gate missing
        The slalom was won by whoever noticed first.
        Los piragüistas echan en falta una puerta
        Ganó el eslalon quien primero se dio cuenta.

        market basketball
        A last-second basket decides the cup
        The ball lay on the ring for a breath.
        Una canasta en el último segundo decide la copa
        El balón se quedó un instante en el aro.

        harbour rowing, school
        Rowing becomes a school subject
        Two lessons a week, in spring and in autumn.
        El remo será asignatura
        Dos clases por semana, en primavera y en otoño.

        garden running, night
        Night run with lanterns
        The course leads through the garden and back.
        Carrera nocturna con farolillos
        El recorrido va por el jardín y vuelve.

        bridge volleyball, river
        Beach volleyball below the bridge
        The sand came by barge, 90 tonnes of it.
        Voleibol de playa bajo el puente
        La arena llegó en barcaza: 90 toneladas.

        market darts
        The butcher wins the darts again
        It is her seventh title in a row.
        La carnicera gana otra vez a los dardos
        Es su séptimo título seguido.

        harbour diving, harbour
        Free divers clear the harbour of nets
        They brought up half a tonne in one morning.
        Buceadores limpian de redes el puerto
        Sacaron media tonelada en una mañana.

        garden petanque, garden
        Petanque needs a second pitch
        On Sundays people wait for an hour.
        La petanca necesita otra pista
        Los domingos se espera una hora.

        bridge walking
        A path of forty kilometres, signposted
        It begins and ends at the old bridge.
        Un sendero de cuarenta kilómetros, señalizado
        Empieza y acaba en el puente viejo.

        market handball
        The handball team stays unbeaten
        Eleven matches, eleven wins.
        El equipo de balonmano sigue invicto
        Once partidos, once victorias.
        """
}
