"""What `cabinet-ci new` writes: the files of a tiny case, and the values filled into them."""
