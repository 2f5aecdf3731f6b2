.version 8.0
.target sm_80
.address_size 64
.visible .entry k()
{
	ret;
}
