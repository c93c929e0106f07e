import PhotoStreamLayout
import PhotoStreamModel
import PhotoStreamWire

// The layout and its photos.
extension APICall {
    /// The condition that the photos of a layout must meet; `nil` if the query has none.
    ///
    /// - Throws: ``Problem`` that names the column.
    func condition() throws -> Condition? {
        guard let text = query[RouteParameter.condition.name] else { return nil }
        do throws(ConditionError) {
            return try Condition(parsing: text, readable: audience?.readable ?? .all)
        } catch {
            throw Problem(.invalidParameter, detail: error.description, parameter: RouteParameter.condition.name)
        }
    }

    /// The layout that the query describes; `nil` if it has no layout option.
    func layoutKey() throws -> LayoutKey? {
        var values = LayoutOptionValues()
        var isGiven = false
        for (name, value) in query.all {
            guard let option = LayoutOption(rawValue: name) else { continue }
            try values.set(option, to: value)
            isGiven = true
        }
        return isGiven ? try values.key() : nil
    }

    /// The layout that the query describes.
    ///
    /// - Throws: ``Problem`` if it has no layout option.
    func requiredLayoutKey() throws -> LayoutKey {
        guard let key = try layoutKey() else {
            throw Problem(.missingParameter, detail: "width or layout-key is missing", parameter: "width")
        }
        return key
    }
}
