import ArgumentParser
import PhotoStreamImport

extension ImportFormat: ExpressibleByArgument {}
