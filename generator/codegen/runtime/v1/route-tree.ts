/** Finds the routes of a path. The time depends on the path, and not on the number of routes. */
export class RouteTree<Route> {
  readonly #root: RouteNode<Route> = newNode();

  /** Adds a route by its verb and its template: `/pets/{id}`. */
  add(verb: string, template: string, route: Route): void {
    let node = this.#root;
    for (const segment of segmentsOf(template)) node = childOf(node, segment);
    node.routes.set(verb, route);
  }

  /**
   * Returns the routes that match a path, by verb. Where several match, a text takes precedence over a parameter. An
   * empty segment matches nothing, so neither `/pets/` nor `//pets` matches `/pets`.
   */
  find(path: string): ReadonlyMap<string, Route> | undefined {
    return path.startsWith("/") ? routesAt(this.#root, segmentsOf(path), 0) : undefined;
  }
}

/** A segment of templates. */
interface RouteNode<Route> {
  /** Routes that end here, by verb. */
  readonly routes: Map<string, Route>;
  readonly texts: Map<string, RouteNode<Route>>;
  parameter: RouteNode<Route> | undefined;
}

function newNode<Route>(): RouteNode<Route> {
  return { routes: new Map(), texts: new Map(), parameter: undefined };
}

/** `/pets/5` → `pets`, `5`. */
function segmentsOf(path: string): readonly string[] {
  return path === "/" ? [] : path.split("/").slice(1);
}

function childOf<Route>(node: RouteNode<Route>, segment: string): RouteNode<Route> {
  if (segment.startsWith("{")) {
    node.parameter ??= newNode();
    return node.parameter;
  }
  const known = node.texts.get(segment);
  if (known !== undefined) return known;
  const added = newNode<Route>();
  node.texts.set(segment, added);
  return added;
}

/** A path can match several templates, but only as many as texts and parameters can be combined in its segments. */
function routesAt<Route>(
  { routes, texts, parameter }: RouteNode<Route>,
  segments: readonly string[],
  at: number,
): ReadonlyMap<string, Route> | undefined {
  const segment = segments[at];
  if (segment === undefined) return routes.size === 0 ? undefined : routes;
  if (segment === "") return undefined;
  const text = texts.get(segment);
  const narrow = text && routesAt(text, segments, at + 1);
  const wide = parameter && routesAt(parameter, segments, at + 1);
  return narrow && wide ? new Map([...wide, ...narrow]) : (narrow ?? wide);
}
