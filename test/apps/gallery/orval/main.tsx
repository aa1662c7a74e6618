import { mount } from "../shared/mount.tsx";
import { cache } from "./client.ts";
import { Add } from "./form.tsx";
import { List } from "./list.tsx";
import { Live } from "./live.tsx";

mount(cache, { list: <List />, form: <Add />, live: <Live /> });
