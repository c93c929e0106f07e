/// The names of version 0.2.0, which 0.3 accepts.
enum OldNames {
    /// The options that the commands about layouts share.
    static let layoutOptions = """
        algorithm anchor aspect-ratio badge-size breakout-every breaks caption-extent cell-padding column-choice \
        columns content-inset database display-scale footer-size header-size height interitem-spacing item-height \
        item-size json layout-direction layout-key line-spacing maximum-line-height minimum-column-width \
        minimum-line-height order-tolerance own-sizes pin-footers pin-headers primary scroll-direction \
        section-background section-by section-inset separator-thickness span-wider-than stream target-line-height \
        tolerance v verbose widows width zoom
        """

    /// The commands, each with a colon and its options; `…` replaces those of layouts.
    static let commands = """
        import: database dry-run exclude format include json map no-pictures no-quoting order pictures-budget \
        primary prune quoting report restore retry stream time-zone v verbose watch
        streams list: database imports json primary v verbose
        streams create: database json order primary v verbose
        streams copy: database json order primary v verbose
        streams rename: database json primary v verbose
        streams delete: database json primary v verbose yes
        photos list: after database export id json limit primary stream v verbose
        photos show: database json primary stream v verbose
        photos edit: alt camera caption clear color content-hash database height json latitude location longitude \
        orientation placeholder primary rating stream tags taken-at title v verbose width
        photos reset: database fields json primary stream v verbose
        photos delete: database forever ids-from json primary stream v verbose
        photos deleted: after database json limit primary stream v verbose
        photos restore: database json primary stream v verbose
        photos move: after before database json primary reset stream v verbose
        roots list: database json primary v verbose
        roots add: database json primary stream v verbose
        roots remove: database json primary stream v verbose
        layout: from-section limit …
        page: all cursor limit …
        rect: cursor limit rect …
        item: at index limit nearest photo …
        scrubber: steps …
        changes: database json limit primary since stream v verbose
        updates: keep rect since …
        render: output pictures rect …
        serve: address allow-origin allow-plain-http configuration database host-name log-format no-gallery \
        no-pictures pictures-budget port primary print-configuration require-token set tls-certificate tls-key \
        trusted-proxy uploads user user-header v verbose watch
        tokens list: database json primary v verbose
        tokens create: database expires json primary scope stream v verbose
        tokens revoke: database json primary v verbose
        shares list: database json primary v verbose
        shares create: database expires json originals primary show-names show-positions stream v verbose
        shares revoke: database json primary v verbose
        pictures status: database json primary v verbose
        pictures warm: database json pictures-budget primary retry stream v verbose
        pictures verify: database json primary v verbose
        pictures clear: database json keep-results primary v verbose
        stats: database json primary stream v verbose
        cache status: database json primary v verbose
        cache verify: database json primary v verbose
        cache clear: database json primary v verbose
        cache warm: …
        cache budget: database json primary v verbose
        export: database json output primary stream v verbose
        primary status: json primary
        primary init: json primary
        primary load: database json primary
        primary dump: json primary
        primary retention: changes changes-for-followers days json primary
        backup: database json v verbose
        restore: database json replace v verbose
        upgrade: check database json v verbose
        doctor: database json v verbose
        compact: database json v verbose
        """

    /// The settings of a server.
    static let settings = """
        port readers writers pictures thumbnails request-limit requests-per-minute layouts-per-minute \
        address-limit field-limit head-seconds body-limit body-memory body-rate body-seconds answer-memory \
        import-limit imports upload-limit uploads connections connections-per-address requests-per-connection \
        http2-requests event-clients idle-seconds request-seconds end-seconds
        """
}
