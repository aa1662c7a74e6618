/** A module a service beside what they share: `out/python/api.py`. */
export function files({ services, ...plan }) {
  const modules = services.map((service) => ({
    path: `${service.fileName.replaceAll("-", "_")}.py`,
    template: "service.py",
    data: { ...plan, service },
  }));
  return [
    { path: "__init__.py", template: "init.py" },
    { path: "runtime.py", template: "runtime.py" },
    { path: "types_.py", template: "types.py" },
    { path: "errors.py", template: "errors.py" },
    ...modules,
  ];
}
