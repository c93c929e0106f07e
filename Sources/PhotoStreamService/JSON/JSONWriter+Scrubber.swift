import PhotoStreamLayout
import PhotoStreamModel

extension JSONWriter {
    /// Writes what lies at even distances of a layout's content.
    public mutating func value(_ answer: ScrubberAnswer) {
        object { writer in
            writer.members(of: answer.context)
            writer.key("stops")
            writer.array(answer.stops) { writer, stop in
                writer.object { writer in
                    writer.member("offset", pixels: stop.offset, answer.context.layoutKey.displayScale)
                    writer.member("section", stop.section)
                    writer.member("id", stop.sectionID)
                    writer.member("index", stop.index)
                    writer.key("day")
                    if let digits = stop.date.digits { writer.value(digits) } else { writer.null() }
                    writer.member("precision", orNull: stop.date.unit?.rawValue)
                }
            }
        }
    }
}
