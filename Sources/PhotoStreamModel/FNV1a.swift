/// The 64-bit hash FNV-1a: equal in every process; distinguishes texts, but does not withstand an attacker.
///
/// Source: Fowler, Noll, Vo, "The FNV Non-Cryptographic Hash Algorithm", IETF draft-eastlake-fnv.
package enum FNV1a {
    /// Returns the hash of bytes.
    @inlinable package static func hash(_ bytes: some Sequence<UInt8>) -> UInt64 {
        bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}
