/// A transform of three-dimensional space, as a matrix that row vectors are multiplied with from the left.
///
/// Elements are named by row and column, as in Core Animation.
public struct Transform3D: Hashable, Sendable {
    /// The rows, from the first.
    public var m11, m12, m13, m14, m21, m22, m23, m24, m31, m32, m33, m34, m41, m42, m43, m44: Double

    /// The transform that changes nothing.
    public static let identity = scale(x: 1, y: 1, z: 1)

    /// A transform that moves, in device pixels.
    public static func translation(x: Double, y: Double, z: Double = 0) -> Transform3D {
        var transform = identity
        (transform.m41, transform.m42, transform.m43) = (x, y, z)
        return transform
    }

    /// A transform that makes larger or smaller.
    public static func scale(x: Double, y: Double, z: Double = 1) -> Transform3D {
        Transform3D(
            m11: x, m12: 0, m13: 0, m14: 0, m21: 0, m22: y, m23: 0, m24: 0, m31: 0, m32: 0, m33: z, m34: 0, m41: 0,
            m42: 0, m43: 0, m44: 1)
    }

    /// A transform that turns about the axis that points out of the screen.
    ///
    /// - Parameters:
    ///   - sine: The sine of the angle; clockwise where y points down.
    ///   - cosine: The cosine of the angle.
    /// - Returns: The rotation.
    public static func rotation(sine: Double, cosine: Double) -> Transform3D {
        var transform = identity
        (transform.m11, transform.m12, transform.m21, transform.m22) = (cosine, sine, -sine, cosine)
        return transform
    }
}
