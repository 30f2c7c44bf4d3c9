extension Faker.Words {
    /// German words, with addresses and numbers as in Germany.
    static let german = Faker.Words(
        firstNames: [
            "Anna", "Ben", "Clara", "Elias", "Emil", "Emma", "Felix", "Finn", "Greta", "Hannah", "Ida", "Jonas",
            "Jürgen", "Käthe", "Lena", "Leon", "Lukas", "Marie", "Mila", "Moritz", "Paul", "Sören", "Theo", "Ursula",
            "Wilhelm",
        ],
        lastNames: [
            "Bauer", "Becker", "Braun", "Fischer", "Groß", "Hartmann", "Hoffmann", "Jäger", "Keller", "Koch",
            "Köhler", "König", "Krüger", "Lange", "Meyer", "Müller", "Richter", "Schäfer", "Schmidt", "Schneider",
            "Schröder", "Schulz", "Vogel", "Wagner", "Weiß",
        ],
        prefixes: ["Herr", "Frau", "Dr.", "Prof. Dr."],
        jobs: [
            "Architektin", "Bäcker", "Buchhalter", "Elektrikerin", "Gärtner", "Ingenieurin", "Journalist",
            "Krankenpfleger", "Lehrerin", "Schreiner", "Tischlerin",
        ],
        cities: [
            "Altenburg", "Bad Neustadt", "Birkenfeld", "Eichstätt", "Friedrichshafen", "Grünwald", "Lindau",
            "Mühlhausen", "Neustadt", "Rosenheim", "Schöneberg", "Waldkirch", "Weißenburg",
        ],
        streets: [
            "Ahornweg", "Bahnhofstraße", "Birkenallee", "Gartenstraße", "Goethestraße", "Hauptstraße", "Kirchgasse",
            "Lindenweg", "Marktplatz", "Mühlenweg", "Rosenstraße", "Schillerstraße", "Waldstraße",
        ],
        streetAddress: "@ ##",
        states: [
            "Baden-Württemberg", "Bayern", "Berlin", "Brandenburg", "Bremen", "Hamburg", "Hessen", "Niedersachsen",
            "Sachsen", "Thüringen",
        ],
        country: "Deutschland",
        countries: [
            "Ägypten", "Argentinien", "Australien", "Belgien", "Brasilien", "Dänemark", "Deutschland", "Frankreich",
            "Griechenland", "Indien", "Italien", "Japan", "Kanada", "Norwegen", "Österreich", "Polen", "Schweden",
            "Schweiz", "Spanien",
        ],
        postcode: "#####",
        companies: [
            "Ahorn", "Blaumeise", "Eiche", "Feldmann", "Hanse", "Kessel", "Leuchtturm", "Morgenrot", "Nordwind",
            "Quelle", "Seewald", "Steinbach",
        ],
        companyForms: ["AG", "GmbH", "KG", "OHG", "und Söhne"],
        industries: [
            "Bankwesen", "Bau", "Bildung", "Gastronomie", "Gesundheit", "Landwirtschaft", "Logistik", "Mode",
            "Software", "Tourismus", "Versicherung",
        ],
        slogans: [
            "Gut gebaut", "Brot von hier", "Seit 1954 in Ihrer Nähe", "Werkzeug fürs Leben", "Leise und gründlich",
            "Der kurze Weg nach Hause",
        ],
        words: [
            "abend", "apfel", "bahn", "baum", "blatt", "brief", "brücke", "fenster", "feld", "fluss", "garten",
            "hafen", "kerze", "laterne", "licht", "markt", "morgen", "mühle", "musik", "papier", "regen", "schatten",
            "silber", "sommer", "stein", "straße", "tal", "tisch", "wiese", "wolke",
        ],
        products: [
            "Becher", "Fahrrad", "Flasche", "Hut", "Jacke", "Lampe", "Rucksack", "Schirm", "Schuhe", "Stift",
            "Stuhl", "Tisch", "Uhr",
        ],
        departments: [
            "Bücher", "Elektronik", "Garten", "Gesundheit", "Haushalt", "Kleidung", "Lebensmittel", "Musik",
            "Spielzeug", "Sport",
        ],
        materials: [
            "Baumwoll-", "Glas-", "Granit-", "Holz-", "Kunststoff-", "Leder-", "Leinen-", "Papier-", "Seiden-",
            "Stahl-", "Woll-",
        ],
        colors: [
            "blau", "braun", "gelb", "gold", "grau", "grün", "lila", "orange", "rosa", "rot", "schwarz", "silber",
            "weiß",
        ],
        phone: "030 23125 ###",
        mobile: "0152 28817 ###",
        domain: "de",
        logins: [
            "anna", "ben", "clara", "elias", "emil", "emma", "felix", "finn", "greta", "hannah", "ida", "jonas",
            "lena", "leon", "lukas", "marie", "mila", "moritz", "paul", "theo",
        ]
    )
}
