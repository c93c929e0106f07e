/// A city.
package struct Place: Hashable, Sendable {
    /// The name.
    package let name: String
    /// The two letters of its country, as ISO 3166 has them.
    package let countryCode: String
    /// The English name of its country.
    package let country: String
    /// The latitude in degrees, to 20 metres.
    package let latitude: Double
    /// The longitude in degrees, to 40 metres.
    package let longitude: Double
    /// The number of its inhabitants, to 5 percent.
    package let population: Int
}
