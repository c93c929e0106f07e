package import Testing

extension Trait where Self == ConditionTrait {
    /// A test that changes its file by SQL, or by a command without a primary, which is not allowed for a replica.
    package static var ofAFileOfItsOwn: Self { .disabled(if: TestPrimary.isOn, "it is about a file of its own") }
}
