import PhotoStreamLayout
import Testing

@Suite struct GeometryTests {
    @Test(
        arguments: [
            (0, 1, 0), (0.49999999999999994, 1, 0), (0.5, 1, 1), (1.5, 1, 2), (2.5, 1, 3), (-0.5, 1, -1), (-2.5, 1, -3),
            (0.25, 2, 1), (33.25, 1.5, 50), (1, 0.5, 1), (100_000, 8, 800_000), (10.3, 3, 31),
        ] as [(Double, Double, Int64)])
    func `points round half away from zero to device pixels`(points: Double, scale: Double, pixels: Int64) throws {
        #expect(try DisplayScale(scale).pixels(points) == pixels)
    }

    @Test func `a display scale is written as its shortest decimal`() throws {
        let texts = try [0.5, 1, 1.5, 2, 2.625, 8, 1.1].map { try DisplayScale($0).description }
        #expect(texts == ["0.5", "1", "1.5", "2", "2.625", "8", "1.1"])
    }

    @Test func `pixels become points by division`() throws {
        let scale = try DisplayScale(1.5)
        #expect(scale.points(3) == 2)
        #expect(
            scale.points(PixelRect(x: 3, y: 6, width: 9, height: 1))
                == Rect(x: 2, y: 4, width: 6, height: 1 / 1.5))
        #expect(scale.points(PixelExtent(width: 3, height: 0)) == Size(width: 2, height: 0))
    }

    @Test func `a rectangle in points covers every pixel that it touches`() throws {
        let scale = try DisplayScale(2)
        #expect(
            try scale.pixels(covering: Rect(x: 0.25, y: -0.25, width: 0.25, height: 0.5))
                == PixelRect(x: 0, y: -1, width: 1, height: 2))
        #expect(
            try scale.pixels(covering: Rect(x: 1, y: 2, width: 3, height: 4))
                == PixelRect(x: 2, y: 4, width: 6, height: 8))
        let empty = try scale.pixels(covering: Rect(x: 1, y: 2, width: 0, height: 4))
        #expect(empty.width == 0 && empty.height == 0)
    }

    @Test func `rectangles intersect if they share a pixel`() {
        // All pairs of rectangles in a world of four by four pixels, against the pixels themselves.
        let rects = (0..<3).flatMap { x in
            (0..<3).flatMap { y in
                (0..<3).flatMap { width in
                    (0..<3).map { PixelRect(x: Int64(x), y: Int64(y), width: Int64(width), height: Int64($0)) }
                }
            }
        }
        func pixels(_ rect: PixelRect) -> Set<[Int64]> {
            Set((rect.x..<rect.maxX).flatMap { x in (rect.y..<rect.maxY).map { [x, $0] } })
        }
        let sets = rects.map(pixels)
        for left in rects.indices {
            for right in rects.indices {
                guard rects[left].intersects(rects[right]) != sets[left].isDisjoint(with: sets[right]) else {
                    Issue.record("\(rects[left]) and \(rects[right])")
                    return
                }
            }
        }
    }

    @Test func `index paths are ordered by section, then item`() {
        let paths = (0..<3).flatMap { section in (0..<3).map { IndexPath(section: section, item: $0) } }
        #expect(paths.reversed().sorted() == paths)
        #expect(!(paths[0] < paths[0]))
    }

    @Test func `errors describe the problem in one clause`() {
        #expect(LayoutError.invalidState.description == "the layout state is damaged")
        #expect(
            LayoutError.outOfRange(option: "columns", value: 0.5, allowed: 0.25...1e20).description
                == "columns is 0.5, but must be 0.25 to 1e+20")
    }
}
