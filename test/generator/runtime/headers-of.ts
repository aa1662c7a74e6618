export const headersOf = (all: Readonly<Record<string, string>>) => ({
  header: (name: string): string | undefined => all[name],
});
