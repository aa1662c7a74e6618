"""Writes `directory.ridl.gz` and `servers.ridl.gz`, two public APIs with their documentation (both Apache License 2.0).

Run it here, beside the packages: `pip download --no-deps google-api-python-client==2.202.0 botocore==1.44.8`.
"""

import glob
import gzip
import json
import re
import zipfile


def wheel(p):
    return zipfile.ZipFile(glob.glob(p)[0])


def clean(t, n=400):
    t = re.sub(r"<[^>]+>", "", t or "")
    t = re.sub(r"[`*#]", "", t)
    t = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", t)
    t = re.sub(r"\s+", " ", t).strip()
    return t[:n]


def pascal(s):
    return "".join(w[:1].upper() + w[1:] for w in re.split(r"[^A-Za-z0-9]+", s))


def ident(s):
    s = re.sub(r"\W", "_", s)
    return s if re.match(r"[A-Za-z]", s) else None


out = []


def struct(name, docs, fields):
    s = ""
    if docs:
        s += f"# {docs}\n"
    s += f"struct {name}\n"
    seen = set()
    for n, t, opt, d in fields:
        n = ident(n)
        if not n or n.lower() in seen:
            continue
        seen.add(n.lower())
        if d:
            s += f"  # {d}\n"
        s += f'  - {n}{"?" if opt else ""}: {t}\n'
    return s


def enum(name, docs, values):
    s = (f"# {docs}\n" if docs else "") + f"enum {name}: string\n"
    for v, d in values:
        i = re.sub(r"\W", "_", v)
        if not re.match("[A-Za-z]", i):
            i = "V" + i
        if d:
            s += f"  # {d}\n"
        s += f"  - {i}" + (f' = "{v}"' if i != v else "") + "\n"
    return s


def google():
    d = json.loads(wheel("google*.whl").read("googleapiclient/discovery_cache/documents/admin.directory_v1.json"))
    names = {k: pascal(k) for k in d["schemas"]}
    parts = []
    extra = []

    def typ(p, ctx):
        if "$ref" in p:
            return names[p["$ref"]]
        t = p.get("type")
        if t == "array":
            return "[]" + typ(p["items"], ctx + "Item")
        if t == "object" and "properties" in p:
            extra.append((ctx, p))
            return ctx
        return {
            "string": {"int64": "int64"}.get(p.get("format"), "string"),
            "integer": "int32",
            "number": "float64",
            "boolean": "bool",
        }.get(t, "any")

    todo = [(names[k], v) for k, v in d["schemas"].items()]
    done = set()
    while todo:
        n, v = todo.pop(0)
        if n in done:
            continue
        done.add(n)
        fields = [
            (fn, typ(fv, n + pascal(fn)), True, clean(fv.get("description"), 200))
            for fn, fv in v.get("properties", {}).items()
        ]
        parts.append(struct(n, clean(v.get("description")), fields or [("empty", "bool", True, "")]))
        todo += extra
        extra.clear()
    services = {}
    ids = {}

    def walk(r):
        for n, m in r.get("methods", {}).items():
            seg = m["id"].split(".")
            svc = pascal(seg[-2])
            if seg[-3] not in ("directory", "customers", "customer", "chrome", "devices", "admin"):
                svc = pascal(seg[-3]) + svc
            name = pascal(seg[-1])
            ids[m["id"]] = svc + "." + name
            ps = [
                (pn, typ(pv, "X"), not pv.get("required"), clean(pv.get("description"), 200))
                for pn, pv in m.get("parameters", {}).items()
            ]
            req = svc + name + "Request"
            if "request" in m:
                ps.append(("body", names[m["request"]["$ref"]], False, ""))
            parts.append(struct(req, "", ps or [("empty", "bool", True, "")]))
            resp = names[m["response"]["$ref"]] if "response" in m else None
            verb = m["httpMethod"]
            services.setdefault(svc, []).append(
                f"  # {clean(m.get('description'))}\n"
                + ("  @readonly\n" if verb == "GET" else "")
                + f"  - {name}({req}) => ({resp or 'Nothing'})\n"
            )
        for v in r.get("resources", {}).values():
            walk(v)

    walk(d)
    s = (
        "struct Nothing\n  - empty?: bool\n\n"
        + "\n".join(parts)
        + "\n"
        + "\n".join(f"service {k}\n" + "".join(v) for k, v in services.items())
    )
    return s, ids


def amazon(which):
    d = json.loads(gzip.decompress(wheel("boto*.whl").read(which)))
    sh = d["shapes"]
    parts = []
    seen = set()
    todo = []

    def typ(n):
        s = sh[n]
        t = s["type"]
        if t == "structure":
            todo.append(n)
            return pascal(n)
        if t == "list":
            return "[]" + typ(s["member"]["shape"])
        if t == "map":
            return "map<string," + typ(s["value"]["shape"]) + ">"
        if t == "string" and "enum" in s:
            todo.append(n)
            return pascal(n)
        return {
            "string": "string",
            "integer": "int32",
            "long": "int64",
            "boolean": "bool",
            "double": "float64",
            "float": "float64",
            "timestamp": "timestamp",
            "blob": "string",
        }[t]

    svc = pascal(re.sub("Amazon |AWS ", "", d["metadata"].get("serviceId") or "Api"))
    ms = []
    ids = {}
    errs = {}
    for n, o in d["operations"].items():
        req = typ(o["input"]["shape"])
        resp = typ(o["output"]["shape"]) if "output" in o else ""
        ids[n] = svc + "." + n
        ms.append(
            f"  # {clean(o.get('documentation'))}\n"
            + ("  @readonly\n" if re.match("Get|List|Describe|Is|Download", n) else "")
            + f"  - {n}({req}) => ({resp})\n"
        )
    while todo:
        n = todo.pop(0)
        if n in seen:
            continue
        seen.add(n)
        s = sh[n]
        if s["type"] == "structure":
            f = [
                (k, typ(v["shape"]), k not in s.get("required", []), clean(v.get("documentation"), 200))
                for k, v in s["members"].items()
            ]
            parts.append(struct(pascal(n), clean(s.get("documentation")), f or [("empty", "bool", True, "")]))
        else:
            parts.append(enum(pascal(n), clean(s.get("documentation")), [(v, "") for v in s["enum"]]))
    return "\n".join(parts) + f"\nservice {svc}\n" + "".join(ms), ids


def write(name, text):
    with open(name + ".ridl.gz", "wb") as f:
        f.write(gzip.compress(text.encode(), 9, mtime=0))


gs, gi = google()
as_, ai = amazon("botocore/data/lightsail/2016-11-28/service-2.json.gz")
write("directory", "webrpc = v1\nname = directory\nversion = v1.0.0\nbasepath = /rpc\n\n" + gs)
write("servers", "webrpc = v1\nname = servers\nversion = v1.0.0\nbasepath = /rpc\n\n" + as_)
