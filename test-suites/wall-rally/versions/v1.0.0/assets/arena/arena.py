"""Builds the arena in Blender and exports it: blender --background --python arena.py"""

import bpy

METRE = 10  # units of the court
WIDTH, HEIGHT = 320 / METRE, 180 / METRE
THICK, TALL = 0.2, 1.0
COLOURS = {"night": "10141f", "moss": "4f7d5c"}

# The court's y grows downwards and Blender's upwards: the court lies at negative y.
BOXES = {
    "floor": ((0, -HEIGHT, -THICK), (WIDTH, 0, 0), "night"),
    "top wall": ((0, 0, 0), (WIDTH, THICK, TALL), "moss"),
    "bottom wall": ((0, -HEIGHT - THICK, 0), (WIDTH, -HEIGHT, TALL), "moss"),
    "right wall": ((WIDTH, -HEIGHT - THICK, 0), (WIDTH + THICK, THICK, TALL), "moss"),
}


def linear(part: str) -> float:
    value = int(part, 16) / 255
    return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4


def material(name: str) -> bpy.types.Material:
    colour = COLOURS[name]
    made = bpy.data.materials.new(name)
    made.use_nodes = True
    shader = made.node_tree.nodes["Principled BSDF"]
    shader.inputs["Base Color"].default_value = (*(linear(colour[at : at + 2]) for at in (0, 2, 4)), 1)
    return made


bpy.ops.wm.read_factory_settings(use_empty=True)
materials = {name: material(name) for name in COLOURS}
for name, (low, high, colour) in BOXES.items():
    bpy.ops.mesh.primitive_cube_add(size=1, location=[(one + other) / 2 for one, other in zip(low, high)])
    box = bpy.context.object
    box.name = name
    box.scale = [other - one for one, other in zip(low, high)]
    box.data.materials.append(materials[colour])
bpy.ops.export_scene.gltf(filepath="arena.gltf", export_format="GLTF_EMBEDDED")
