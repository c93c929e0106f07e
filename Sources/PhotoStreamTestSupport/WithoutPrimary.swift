package import Testing

extension Trait where Self == ConditionTrait {
    /// A test that changes its file by SQL, or by a command without a primary, which is not allowed for a replica.
    package static var withoutPrimary: Self { .disabled(if: TestPrimary.isOn, "its file must not be a replica") }
}
