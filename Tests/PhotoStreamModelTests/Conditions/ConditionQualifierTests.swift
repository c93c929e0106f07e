import PhotoStreamModel
import PhotoStreamTestSupport
import Testing

/// The definition of each qualifier, by photos that it accepts and others that it refuses.
@Suite struct ConditionQualifierTests {
    /// Returns a photo without any value, after some changes.
    private func subject(_ change: (inout ConditionSubject) throws -> Void = { _ in }) throws -> ConditionSubject {
        var subject = ConditionSubject(
            Photo(id: try PhotoID("a")), in: try StreamName("archive"), today: SampleConditions.today)
        subject.placeNames = { $0.latitude > 45 ? ["Zürich", "Zurigo", "Switzerland"] : [] }
        try change(&subject)
        return subject
    }

    private func matches(_ text: String, _ change: (inout ConditionSubject) throws -> Void = { _ in }) throws -> Bool {
        try Condition(parsing: text).matches(try subject(change))
    }

    private func size(of subject: inout ConditionSubject, width: Int, height: Int) throws {
        subject.photo.pixelSize = try PixelSize(width: width, height: height)
        subject.photo.metricsSource = .measured
    }

    private func taken(_ subject: inout ConditionSubject, year: Int, precision: CaptureTime.Precision = .year) throws {
        let day = try #require(CivilDate(year: year, month: 1, day: 1)).daysSince1970
        subject.photo.takenAt = try CaptureTime(
            milliseconds: Int64(day) * 86_400_000, utcOffsetMinutes: nil, precision: precision)
    }

    @Test(arguments: ConditionQualifier.allCases)
    func `every qualifier accepts its example in one photo and refuses it in another`(qualifier: ConditionQualifier)
        throws
    {
        let condition = try Condition(parsing: "\(qualifier.rawValue):\(qualifier.row.example)")
        let accepted = try subject { try accept(qualifier, in: &$0) }
        #expect(condition.matches(accepted))
        #expect(try !condition.matches(subject { try refuse(qualifier, in: &$0) }))
        // The documents show the table.
        #expect(qualifier.summary.hasSuffix("."))
        #expect(condition.inputs.fields.isSubset(of: qualifier.row.inputs.fields))
        #expect(condition.inputs.context.isSubset(of: qualifier.row.inputs.context))
        #expect(!condition.inputs.fields.isEmpty || !condition.inputs.context.isEmpty)
        #expect(!condition.dependsOnClock || qualifier.row.takes == .days)
    }

    /// Gives a photo the values for which the qualifier's example is true.
    private func accept(_ qualifier: ConditionQualifier, in subject: inout ConditionSubject) throws {
        switch qualifier {
        case .tag: subject.photo.tags = ["sea", "Beach"]
        case .album: subject.photo.albums = ["Italy/2025/Rome"]
        case .stream: subject.stream = try StreamName("Archive")
        case .camera: subject.photo.camera = "Apple iPhone 12 Pro"
        case .lens: subject.photo.lens = "Sigma 35mm F1.4"
        case .folder: subject.photo.location = "/photos/2019/Italy/Rome/a.jpg"
        case .name: subject.photo.location = "2019/IMG_1234.JPG"
        case .text: subject.photo.alt = "A boat in the harbour"
        case .rating: subject.photo.rating = 4
        case .taken: try taken(&subject, year: 2019)
        case .added: subject.addedOn = CivilDate(daysSince1970: subject.today.daysSince1970 - 29)
        case .near, .place, .within: subject.photo.coordinate = try Coordinate(latitude: 47.3, longitude: 8.5)
        case .type: subject.photo.location = "a/b.DNG"
        case .ratio: try size(of: &subject, width: 2_010, height: 1_000)
        case .width: try size(of: &subject, width: 4_000, height: 10)
        case .height: try size(of: &subject, width: 10, height: 4_000)
        case .has: subject.photo.caption = "A boat"
        case .is: subject.photo.isFavourite = true
        }
    }

    /// Gives a photo values that are near to those of the qualifier's example.
    private func refuse(_ qualifier: ConditionQualifier, in subject: inout ConditionSubject) throws {
        switch qualifier {
        case .tag: subject.photo.tags = ["beaches", "beach house"]
        case .album: subject.photo.albums = ["Italy", "Italy/2025b", "My Italy/2025"]
        case .stream: subject.stream = try StreamName("archives")
        case .camera: subject.photo.camera = "Apple iPhones"
        case .lens: subject.photo.lens = "Sigma 350mm"
        case .folder: subject.photo.location = "/photos/Italy/2019/Rome/2019 Italy.jpg"
        case .name: subject.photo.location = "IMG_1234/IMG_12345.JPG"
        case .text: subject.photo.tags = ["harbour"]
        case .rating: subject.photo.rating = 3
        case .taken: try taken(&subject, year: 2021)
        case .added: subject.addedOn = CivilDate(daysSince1970: subject.today.daysSince1970 - 30)
        case .near, .within: subject.photo.coordinate = try Coordinate(latitude: 48, longitude: 8.5)
        case .place: subject.photo.coordinate = try Coordinate(latitude: 40, longitude: 8.5)
        case .type: subject.photo.location = "a.dng/b.jpg"
        case .ratio: try size(of: &subject, width: 2_004, height: 1_000)
        case .width: try size(of: &subject, width: 3_999, height: 5_000)
        case .height: try size(of: &subject, width: 5_000, height: 3_999)
        case .has: subject.photo.title = "A boat"
        case .is: subject.photo.isArchived = true
        }
    }

    @Test(arguments: ConditionState.allCases)
    func `every state has a photo in it and one that is not`(state: ConditionState) throws {
        let condition = try Condition(parsing: "is:\(state.rawValue)")
        let inState = try subject { subject in
            switch state {
            case .favourite: subject.photo.isFavourite = true
            case .archived: subject.photo.isArchived = true
            case .edited: subject.photo.editedFields.insert(.text(.caption))
            case .moved: subject.isMoved = true
            case .portrait: try size(of: &subject, width: 98, height: 100)
            case .landscape: try size(of: &subject, width: 100, height: 98)
            case .square: try size(of: &subject, width: 100, height: 99)
            case .panorama: try size(of: &subject, width: 1_000, height: 2_000)
            case .screenshot: subject.photo.location = "a/Screenshot_2024.png"
            case .vanished: subject.isVanished = true
            case .duplicate: subject.isDuplicate = true
            case .video: subject.photo.duration = 0
            }
        }
        #expect(condition.matches(inState))
        #expect(try !condition.matches(subject()))
        let others = ConditionState.allCases.filter { $0 != state }
        // No photo is in all other states.
        #expect(try others.contains { try !Condition(parsing: "is:\($0.rawValue)").matches(inState) })
        #expect(state.summary.hasSuffix("."))
    }

    @Test(arguments: [
        (100, 99, "square"), (99, 100, "square"), (100, 98, "landscape"), (98, 100, "portrait"), (1, 1, "square"),
        (3, 2, "landscape"),
        (1_000, 990, "square"), (1_000, 989, "landscape"),
    ])
    func `a size is portrait, landscape or square`(width: Int, height: Int, state: String) throws {
        let states = ["portrait", "landscape", "square"]
        let found = try states.filter { name in
            try matches("is:\(name)") { try size(of: &$0, width: width, height: height) }
        }
        #expect(found == [state])
    }

    @Test func `an assumed size has no shape, and only a measured one has sides`() throws {
        for text in ["is:portrait", "is:landscape", "is:square", "is:panorama", "ratio:>=0", "width:1..", "has:size"] {
            #expect(try !matches(text))
        }
        func ofRatio(_ subject: inout ConditionSubject) throws {
            try size(of: &subject, width: 1_500, height: 1_000)
            subject.photo.metricsSource = .ratio
        }
        #expect(try matches("ratio:1.5", ofRatio))
        #expect(try !matches("width:1500", ofRatio))
    }

    @Test(arguments: [
        ("Screenshot_20240101-120000.png", true), ("Screen Shot 2024-01-01 at 12.00.00.png", true),
        ("Bildschirmfoto 2024-01-01.png", true),
        ("スクリーンショット 2024-01-01.png", true), ("截屏2024-01-01.png", true), ("Capture d\u{2019}e\u{301}cran.png", true),
        ("IMG_0123.PNG", true), ("IMG_0123.JPG", false), ("IMG_ABCD.PNG", false), ("Screenshots/a.png", true),
        ("DCIM/Screenshots/a.jpg", true),
        ("Screenshots/2024/a.png", false), ("My screenshot.png", false), ("Screenshotting.png", false), ("", false),
    ])
    func `screenshots are known by the names of their files or folders`(location: String, isScreenshot: Bool) throws {
        #expect(try matches("is:screenshot") { $0.photo.location = location } == isScreenshot)
    }

    @Test(arguments: ConditionFileType.allCases)
    func `every kind of file is known by its name`(type: ConditionFileType) throws {
        for fileExtension in type.fileExtensions {
            let found = try ConditionFileType.allCases.filter { other in
                try matches("type:\(other.rawValue)") { $0.photo.location = "x/a.\(fileExtension.uppercased())" }
            }
            #expect(found == [type])
            #expect(try matches("type:video") { ($0.photo.location, $0.photo.duration) = ("a.\(fileExtension)", 1) })
        }
        #expect(try !matches("type:\(type.rawValue)") { $0.photo.location = "x.\(type.fileExtensions[0])/a" })
    }

    @Test(arguments: PhotoField.allCases)
    func `has: knows every field`(field: PhotoField) throws {
        let condition = try Condition(parsing: "has:\(field.row.name)")
        let record = try PhotoRecord(id: PhotoID("a"), setting: field)
        #expect(try condition.matches(subject { $0.photo = Photo.applying(record, to: nil, by: .importer) }))
        #expect(try !condition.matches(subject()))
        #expect(try Condition(parsing: "-has:\(field.row.name)").matches(subject()))
        #expect(condition.inputs == ConditionInputs(PhotoFields(field)))
    }

    @Test(
        arguments: [
            ("a.jpg", nil, "a.jpg"), ("x/a.jpg", "x", "a.jpg"), ("/x//y/a.jpg", "x/y", "a.jpg"), ("x/", "x", nil),
            ("", nil, nil), ("/", nil, nil),
            ("https://e.org/x/caf%C3%A9.jpg?a=/b#/c", "x", "café.jpg"), ("https://e.org", nil, nil),
            ("https://e.org/%FF/a.jpg", "%FF", "a.jpg"),
            ("file:///x/y.jpg", "x", "y.jpg"), ("data:image/png;base64,AA/BB", nil, nil),
            ("x/a#1?.jpg", "x", "a#1?.jpg"),
        ] as [(String, String?, String?)])
    func `a location is divided into the folder and the name of the file`(
        location: String, folder: String?, name: String?
    ) {
        #expect(LocationPath(location).folder == folder)
        #expect(LocationPath(location).name == name)
    }

    @Test func `words of one term are in one text, those of several may be in several`() throws {
        func change(_ subject: inout ConditionSubject) {
            (subject.photo.title, subject.photo.caption) = ("Sunset in Zürich", "A harbour")
            (subject.photo.tags, subject.photo.people) = (["New York", "City"], ["Anna Meier"])
            (subject.photo.camera, subject.photo.location) = ("Canon EOS R5", "2019/Ferien/IMG_1234.JPG")
            subject.photo.lens = "RF35mm"
        }
        for text in [
            "sunset harbour", "zurich new city", "\"new york\"", "anna", "canon ferien img_1234", "1234 jpg", "sun*",
            "2019", "\"in zur\"*",
        ] {
            #expect(try matches(text, change), "\(text)")
        }
        for text in ["\"zurich a\"", "\"york city\"", "sun", "rf35mm", "archive", "\"ferien img\""] {
            #expect(try !matches(text, change), "\(text)")
        }
    }

    @Test func `an asterisk alone is any value`() throws {
        for (text, qualifier) in [
            ("tag:*", ConditionQualifier.tag), ("album:*", .album), ("folder:*", .folder), ("stream:*", .stream),
        ] {
            #expect(try matches(text) { try accept(qualifier, in: &$0) })
            #expect(try matches(text) == (qualifier == .stream))
        }
    }

    @Test(arguments: [
        ("folder:italy", true), ("folder:2019/italy", true), ("folder:/photos/2019/", true), ("folder:ital*", true),
        ("folder:2019/ro*", false),
        ("folder:italy/rome", true), ("folder:2019/rome", false), ("folder:photos/*", true), ("folder:rome/*", false),
        ("folder:a.jpg", false),
    ])
    func `a folder is found at any level`(text: String, isFound: Bool) throws {
        #expect(try matches(text) { $0.photo.location = "/Photos/2019/Italy/Rome/a.jpg" } == isFound)
    }

    @Test func `a photo without a rating counts as unrated`() throws {
        #expect(try matches("rating:0"))
        #expect(try matches("rating:<=2"))
        #expect(try !matches("rating:>=1"))
        #expect(try matches("rating:<0") { $0.photo.rating = -1 })
    }
}
