/**
 * Cycles in a graph, each as its sorted names. A strongly connected component of more than one name
 * counts as one cycle (Tarjan's algorithm).
 */
export function circlesIn(graph: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const found: string[][] = [];
  const index = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const visit = (name: string): void => {
    index.set(name, index.size);
    let low = index.size - 1;
    stack.push(name);
    for (const next of graph.get(name) ?? []) {
      if (!index.has(next)) visit(next);
      if (stack.includes(next)) low = Math.min(low, lowest.get(next) ?? index.get(next)!);
    }
    lowest.set(name, low);
    if (low !== index.get(name)) return;
    const component = stack.splice(stack.indexOf(name));
    if (component.length > 1) found.push(component.toSorted());
  };
  for (const name of graph.keys()) if (!index.has(name)) visit(name);
  return found;
}

/**
 * The graphs of sibling files and folders. In each folder, two members are linked when anything in
 * one imports anything in the other.
 */
export function siblingGraphs(
  links: readonly (readonly [from: string, to: string])[],
): Map<string, Map<string, Set<string>>> {
  const graphs = new Map<string, Map<string, Set<string>>>();
  for (const [from, to] of links) {
    if (from === to) continue;
    const [one, other] = [from.split("/"), to.split("/")];
    const depth = one.findIndex((part, at) => part !== other[at]);
    const folder = one.slice(0, depth).join("/");
    const graph = graphs.get(folder) ?? new Map<string, Set<string>>();
    const next = graph.get(one[depth]!) ?? new Set<string>();
    graphs.set(folder, graph.set(one[depth]!, next.add(other[depth]!)));
  }
  return graphs;
}
