import PhotoStreamTestSupport
import Testing

extension Trait where Self == ConditionTrait {
    /// A test that changes its file by SQL, or by a command that knows no primary, which is not done to a replica.
    static var ofAFileOfItsOwn: Self { .disabled(if: TestPrimary.isOn, "it is about a file of its own") }
}
