/** The files that each view of the dashboard needs beyond the first load, by its path in the router. */
export type ViewFiles = Readonly<Record<string, readonly string[]>>;
