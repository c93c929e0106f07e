import PhotoStreamModel
import Testing

@testable import PhotoStreamImport

@Suite struct SizeReaderTests {
    @Test(
        arguments: [
            ("1890", "1146", 1890, 1146, MetricsSource.measured),
            ("\" 1890 \"", "\"1146\"", 1890, 1146, .measured),
            ("100.0", "50", 100, 50, .measured),
            ("1e3", "1.5E+2", 1000, 150, .measured),
            ("1000000", "1000", 1_000_000, 1000, .measured),
            ("8.5", "11", 85, 110, .ratio),
            ("0.1", "0.3", 1, 3, .ratio),
            ("\".5\"", "\"2.\"", 5, 20, .ratio),
            ("2.54", "3.1", 254, 310, .ratio),
            ("1e-3", "2E-3", 1, 2, .ratio),
            ("8.333333333333333333333", "11", 83_333, 110_000, .ratio),
            ("999999.5", "1000", 1_000, 1, .ratio),
            ("0.00000000000000000001", "0.00000000000000000003", 1, 3, .ratio),
            ("5000.12345", "4000.5", 500_012, 400_050, .ratio),
            ("12.345678", "12.345678", 123_457, 123_457, .ratio),
        ] as [(String, String, Int, Int, MetricsSource)])
    func `sides are rounded to whole pixels`(
        width: String,
        height: String,
        wide: Int,
        high: Int,
        source: MetricsSource
    ) async throws {
        let line = "{\"id\":\"a\",\"width\":\(width),\"height\":\(height)}"
        let outcome = try await ImportOutcome.reading(line)
        guard case .set(let size) = outcome.records.first?.size else {
            Issue.record("no size: \(outcome.reasons)")
            return
        }
        let expected = try PixelSize(width: wide, height: high)
        #expect(size.pixelSize == expected)
        #expect(size.source == source)
    }

    @Test(arguments: [
        ("0", "5", "width 0 is not positive"),
        ("0.0", "5", "width 0.0 is not positive"),
        ("5", "-3", "height -3 is not positive"),
        ("-0.5", "3", "width -0.5 is not positive"),
        ("\"NaN\"", "3", "width is NaN, which is not a size"),
        ("3", "\"nan\"", "height is nan, which is not a size"),
        ("\"inf\"", "3", "width inf is not finite"),
        ("\"-Infinity\"", "3", "width -Infinity is not finite"),
        ("\"1,890\"", "3", "width \"1,890\" is not a number"),
        ("\"90px\"", "3", "width \"90px\" is not a number"),
        ("\"0x10\"", "3", "width \"0x10\" is not a number"),
        ("\"1e\"", "3", "width \"1e\" is not a number"),
        ("\"-\"", "3", "width \"-\" is not a number"),
        ("true", "3", "width true is not a number"),
        ("[1]", "3", "width is an array, not a number"),
        ("{}", "3", "width is an object, not a number"),
        ("1000001", "3000", "width 1000001 is over 1000000 pixels"),
        ("1000000.5", "3000", "width 1000000.5 is over 1000000 pixels"),
        ("1e7", "3000", "width 1e7 is over 1000000 pixels"),
        ("1e999999999999999999999", "3000", "width 1e999999999999999999999 is over 1000000 pixels"),
        ("1001", "1", "1001 by 1 is a ratio over 1000 to 1"),
        ("0.6", "1000", "0.6 by 1000 is a ratio over 1000 to 1"),
        ("1e-999999999", "1", "1e-999999999 by 1 is a ratio over 1000 to 1"),
        ("3", "null", "width is given, but height is missing"),
        ("\"\"", "3", "height is given, but width is missing"),
    ])
    func `an impossible size is rejected with its value`(
        width: String,
        height: String,
        reason: String
    ) async throws {
        let outcome = try await ImportOutcome.reading("{\"id\":\"a\",\"width\":\(width),\"height\":\(height)}")
        #expect(outcome.reasons == [reason])
        #expect(outcome.rejects.first?.id == "a")
    }

    @Test(arguments: [
        (#"{"id":"a"}"#, FieldChange<PhotoRecord.EncodedSize>.keep),
        (#"{"id":"a","width":null,"height":""}"#, .clear),
        (#"{"id":"a","width":null}"#, .clear),
    ])
    func `a missing size is kept or cleared`(line: String, size: FieldChange<PhotoRecord.EncodedSize>) async throws {
        let outcome = try await ImportOutcome.reading(line)
        #expect(outcome.records.first?.size == size)
    }

    @Test func `a single side is rejected`() async throws {
        let outcome = try await ImportOutcome.reading("{\"id\":\"a\",\"width\":3}\n{\"id\":\"b\",\"height\":3}")
        #expect(outcome.reasons == ["width is given, but height is missing", "height is given, but width is missing"])
    }
}
