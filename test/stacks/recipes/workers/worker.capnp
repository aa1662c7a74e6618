using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [(name = "main", worker = (
    modules = [(name = "main.js", esModule = embed "dist/main.js")],
    compatibilityDate = "2026-01-01",
  ))],
  sockets = [(name = "http", http = (), service = "main")],
);
