/** Returns the methods of all services, by full name: `Pets.GetPet`. */
export function methodsByName<Method extends { readonly name: string }>({
  services,
}: {
  readonly services: readonly { readonly name: string; readonly methods: readonly Method[] }[];
}): ReadonlyMap<string, Method> {
  const named = services.flatMap(({ name, methods }) =>
    methods.map((method) => [`${name}.${method.name}`, method] as const),
  );
  return new Map(named);
}
