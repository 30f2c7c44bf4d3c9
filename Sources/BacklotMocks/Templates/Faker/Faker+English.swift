extension Faker.Words {
    /// English words, with addresses and numbers as in the United States.
    static let english = Faker.Words(
        firstNames: [
            "Ada", "Amelia", "Ben", "Chloe", "Daniel", "Ella", "Ethan", "Freya", "George", "Grace", "Harper", "Isla",
            "Jack", "Leo", "Lucy", "Mason", "Mia", "Noah", "Olivia", "Owen", "Ruby", "Samuel", "Sophie", "Theo",
            "Zoe",
        ],
        lastNames: [
            "Adams", "Baker", "Bennett", "Brooks", "Carter", "Collins", "Cooper", "Evans", "Fisher", "Foster",
            "Gray", "Hayes", "Hughes", "Jenkins", "Kelly", "Morgan", "Murphy", "Parker", "Price", "Reed", "Russell",
            "Shaw", "Turner", "Walker", "Wood",
        ],
        prefixes: ["Mr.", "Mrs.", "Ms.", "Dr."],
        jobs: [
            "Accountant", "Architect", "Baker", "Carpenter", "Designer", "Electrician", "Engineer", "Gardener",
            "Journalist", "Librarian", "Nurse", "Teacher",
        ],
        cities: [
            "Ashford", "Brookhaven", "Cedar Falls", "Eastport", "Fairview", "Greenville", "Kingston", "Lakewood",
            "Maple Grove", "Northfield", "Oakdale", "Riverside", "Springdale", "Westbrook",
        ],
        streets: [
            "Birch Lane", "Cedar Street", "Church Road", "Elm Avenue", "Garden Street", "High Street", "Hill Road",
            "Lake Drive", "Main Street", "Maple Avenue", "Mill Lane", "Oak Street", "Park Avenue", "River Road",
        ],
        streetAddress: "## @",
        states: [
            "Alabama", "Arizona", "California", "Colorado", "Florida", "Georgia", "Illinois", "Maine", "Montana",
            "Nevada", "Ohio", "Oregon", "Texas", "Vermont",
        ],
        country: "United States",
        countries: [
            "Argentina", "Australia", "Brazil", "Canada", "Chile", "Denmark", "Egypt", "France", "Germany", "India",
            "Italy", "Japan", "Kenya", "Mexico", "Norway", "Portugal", "Spain", "Sweden", "United Kingdom",
            "United States",
        ],
        postcode: "#####",
        companies: [
            "Bluebird", "Bright Harbor", "Copper Kettle", "Evergreen", "Granite", "Lighthouse", "Northwind",
            "Pinecone", "Redwood", "Silver Creek", "Summit", "Willow",
        ],
        companyForms: ["Inc", "LLC", "Group", "and Sons"],
        industries: [
            "Agriculture", "Banking", "Construction", "Education", "Fashion", "Food", "Health", "Insurance",
            "Logistics", "Software", "Tourism",
        ],
        slogans: [
            "Made to last", "Simply better bread", "Close to you since 1954", "Tools that stay sharp",
            "The short way home", "Quality without noise",
        ],
        words: [
            "apple", "bridge", "candle", "cloud", "corner", "evening", "field", "garden", "harbor", "kettle",
            "lantern", "letter", "market", "meadow", "morning", "music", "paper", "pebble", "river", "shadow",
            "silver", "stone", "summer", "table", "ticket", "train", "valley", "window", "winter", "yellow",
        ],
        products: [
            "Backpack", "Bicycle", "Bottle", "Chair", "Clock", "Cup", "Hat", "Jacket", "Keyboard", "Lamp", "Pen",
            "Shoes", "Table", "Umbrella", "Wallet",
        ],
        departments: [
            "Books", "Clothing", "Electronics", "Garden", "Grocery", "Health", "Home", "Music", "Sports", "Toys",
        ],
        materials: [
            "Cotton", "Glass", "Granite", "Leather", "Linen", "Paper", "Plastic", "Rubber", "Silk", "Steel",
            "Wooden", "Woolen",
        ],
        colors: [
            "black", "blue", "brown", "gold", "green", "grey", "orange", "pink", "purple", "red", "silver", "white",
            "yellow",
        ],
        phone: "(###) 555-01##",
        mobile: "###-555-01##",
        domain: "com",
        logins: [
            "ada", "amelia", "ben", "chloe", "daniel", "ella", "ethan", "freya", "grace", "isla", "jack", "leo",
            "lucy", "mia", "noah", "owen", "ruby", "theo", "zoe",
        ]
    )
}
