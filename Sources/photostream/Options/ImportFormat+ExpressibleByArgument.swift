public import ArgumentParser
public import PhotoStreamImport

extension ImportFormat: ExpressibleByArgument {}
