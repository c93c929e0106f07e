public import ArgumentParser
public import PhotoStreamModel

extension StreamOrder: ExpressibleByArgument {}
